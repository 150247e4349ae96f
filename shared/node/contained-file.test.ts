import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder, write } from '../../tests/support/temp-repository.ts'
import { readContainedFile } from './contained-file.ts'

function folders() {
  const folder = tempFolder()
  const root = join(folder, 'root')
  write(root, 'a/文件 1.txt', 'inside')
  write(folder, 'secret/key', 'outside')
  write(folder, 'root-evil/key', 'outside')
  const read = (path: string, maxBytes = 1_000) => readContainedFile({ root, path, maxBytes })
  return { folder, root, read }
}

it('reads a file, also through a link that stays inside', async () => {
  const { root, read } = folders()
  chmodSync(join(root, 'a/文件 1.txt'), 0o755)
  const expected = { bytes: Buffer.from('inside'), path: 'a/文件 1.txt', sizeBytes: 6, executable: true }
  expect(await read('a/文件 1.txt')).toEqual(expected)
  expect(await read('./a//文件 1.txt')).toEqual(expected)
  symlinkSync('a', join(root, 'b'))
  expect(await read('b/文件 1.txt')).toEqual(expected)
  linkSync(join(root, 'a/文件 1.txt'), join(root, 'hard'))
  expect((await read('hard')).path).toBe('hard')
})

it('refuses every way out', async () => {
  const { folder, root, read } = folders()
  symlinkSync(join(folder, 'secret'), join(root, 'out'))
  symlinkSync(join(folder, 'secret/key'), join(root, 'key'))
  symlinkSync('../root-evil', join(root, 'sibling'))
  const ways = [
    '../secret/key',
    'a/../../secret/key',
    join(folder, 'secret/key'),
    '',
    'out/key',
    'key',
    'sibling/key',
  ]
  ways.push('a\0b', '..\\secret', 'x'.repeat(5_000))
  for (const path of ways) await expect(read(path), path).rejects.toMatchObject({ code: 'path_outside' })
})

it('keeps .git closed, as a folder, as a file and through a link', async () => {
  const { root, read } = folders()
  write(root, '.git/config', 'x')
  write(root, 'sub/.git', 'gitdir: x')
  symlinkSync('.git', join(root, 'dot'))
  for (const path of ['.git/config', 'sub/.git', 'dot/config']) {
    await expect(read(path), path).rejects.toMatchObject({ code: 'path_outside' })
  }
  write(root, '.gitignore', 'x')
  expect((await read('.gitignore')).sizeBytes).toBe(1)
})

it('tells what is missing, no plain file, or too large', async () => {
  const { root, read } = folders()
  symlinkSync('loop', join(root, 'loop'))
  for (const path of ['nope', 'a/文件 1.txt/x', 'loop'])
    await expect(read(path), path).rejects.toMatchObject({ code: 'file_not_found' })
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const path of ['a', '.', 'pipe'])
    await expect(read(path), path).rejects.toMatchObject({ code: 'not_a_file' })
  write(root, 'big', '')
  truncateSync(join(root, 'big'), 10_000_000_000)
  await expect(read('big')).rejects.toMatchObject({ code: 'too_large' })
  expect((await read('a/文件 1.txt', 6)).sizeBytes).toBe(6)
  await expect(read('a/文件 1.txt', 5)).rejects.toMatchObject({ code: 'too_large' })
})

it('never reads outside while a folder is swapped for a link to the outside', async () => {
  const { folder, root } = folders()
  write(root, 'race/key', 'inside')
  const seen = new Set<string>()
  let running = true
  const swap = async () => {
    for (let turn = 0; running; turn += 1) {
      renameSync(join(root, 'race'), join(root, 'aside'))
      symlinkSync(join(folder, 'secret'), join(root, 'race'))
      await new Promise((done) => setImmediate(done))
      rmSync(join(root, 'race'))
      renameSync(join(root, 'aside'), join(root, 'race'))
      if (turn % 2 === 0) await new Promise((done) => setImmediate(done))
    }
  }
  const swapping = swap()
  for (let turn = 0; turn < 1_500; turn += 1) {
    const answer = await readContainedFile({ root, path: 'race/key', maxBytes: 100 }).catch(
      (error: { code: string }) => error.code,
    )
    seen.add(typeof answer === 'string' ? answer : answer.bytes.toString())
  }
  running = false
  await swapping
  expect(seen).toContain('inside')
  expect(seen).not.toContain('outside')
})
