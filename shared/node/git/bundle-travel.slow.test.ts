import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commitAll, git, repository, tempFolder, write } from '../../../tests/support/temp-repository.ts'
import { createBundle } from './bundle-create.ts'
import { receiveBundle } from './bundle-receive.ts'
import { openHostClone } from './clones.ts'
import { readIdentity } from './identity.ts'
import { listTips } from './repository.ts'
import { tidyClone } from './tidy.ts'

const head = (cwd: string) => git(cwd, 'rev-parse', 'HEAD')

async function hostFor(cwd: string, home = tempFolder(), objectFormat: 'sha1' | 'sha256' = 'sha1') {
  const { path } = await openHostClone({ home, ...(await readIdentity({ cwd })), objectFormat })
  return path
}

it('receives thin bundles in a clone whose path holds colons, quotes and line breaks', async () => {
  const cwd = repository({ commits: 5 })
  const home = join(tempFolder(), 'a:b "c"\n\\项目')
  mkdirSync(home)
  const host = await hostFor(cwd, home)
  const bundlePath = join(tempFolder(), 'x')
  await createBundle({ repoPath: cwd, commit: head(cwd), haves: [], bundlePath })
  await receiveBundle({ repoPath: host, bundlePath, commit: head(cwd) })
  const base = head(cwd)
  write(cwd, 'file.txt', `${'line\n'.repeat(20)}changed\n`)
  const commit = commitAll(cwd, 'next')
  await createBundle({ repoPath: cwd, commit, haves: [base], bundlePath })
  expect((await receiveBundle({ repoPath: host, bundlePath, commit })).kind).toBe('received')
  git(host, 'fsck', '--strict')
})

it('carries sha256 repositories too, and keeps the two formats apart', async () => {
  const cwd = join(tempFolder(), 'sha256')
  mkdirSync(cwd)
  git(cwd, 'init', '-q', '--object-format=sha256')
  write(cwd, 'a', 'x')
  const commit = commitAll(cwd, 'one')
  const bundlePath = join(tempFolder(), 'x')
  expect(await createBundle({ repoPath: cwd, commit, haves: [], bundlePath })).toMatchObject({
    kind: 'written',
    commits: 1,
  })
  git(cwd, 'bundle', 'verify', '-q', bundlePath)
  const host = await hostFor(cwd, tempFolder(), 'sha256')
  expect((await receiveBundle({ repoPath: host, bundlePath, commit })).kind).toBe('received')
  const other = repository()
  await expect(receiveBundle({ repoPath: other, bundlePath, commit })).rejects.toMatchObject({
    code: 'git.bad_bundle',
  })
})

it('receives the same and different commits at once', async () => {
  const cwd = repository({ commits: 6 })
  const host = await hostFor(cwd)
  const folder = tempFolder()
  const shas = git(cwd, 'rev-list', 'HEAD').split('\n')
  const one = async (commit: string, index: number) => {
    const bundlePath = join(folder, `${index}`)
    await createBundle({ repoPath: cwd, commit, haves: [], bundlePath })
    return receiveBundle({ repoPath: host, bundlePath, commit })
  }
  await Promise.all([...shas, ...shas].map(one))
  expect((await listTips({ cwd: host })).map(({ sha }) => sha).sort()).toEqual([...shas].sort())
  git(host, 'fsck', '--strict')
  expect(readdirSync(join(host, 'objects')).filter((name) => name.startsWith('tmp_'))).toEqual([])
})

it('leaves nothing behind when it is cancelled', async () => {
  const cwd = repository()
  git(cwd, 'config', 'core.compression', '0')
  write(cwd, 'big.bin', randomBytes(30 * 1024 * 1024))
  const commit = commitAll(cwd, 'big')
  const host = await hostFor(cwd)
  const folder = tempFolder()
  const bundlePath = join(folder, 'x')
  const stopWhen = async (ready: () => boolean, run: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController()
    const timer = setInterval(() => ready() && controller.abort(), 1)
    await expect(run(controller.signal).finally(() => clearInterval(timer))).rejects.toMatchObject({
      code: 'cancelled',
    })
  }
  const packing = () => readdirSync(folder).length > 0
  await stopWhen(packing, (signal) => createBundle({ repoPath: cwd, commit, haves: [], bundlePath, signal }))
  expect(readdirSync(folder)).toEqual([])
  await createBundle({ repoPath: cwd, commit, haves: [], bundlePath })
  const quarantines = () => readdirSync(join(host, 'objects')).filter((name) => name.startsWith('tmp_'))
  await stopWhen(
    () => quarantines().length > 0,
    (signal) => receiveBundle({ repoPath: host, bundlePath, commit, signal }),
  )
  expect(quarantines()).toEqual([])
  expect(await listTips({ cwd: host })).toEqual([])
})

it('moves 60 MB without keeping it in memory', async () => {
  const cwd = repository()
  git(cwd, 'config', 'core.compression', '0')
  for (let index = 0; index < 3; index += 1) write(cwd, `part${index}.bin`, randomBytes(20 * 1024 * 1024))
  const commit = commitAll(cwd, 'large')
  const host = await hostFor(cwd)
  const bundlePath = join(tempFolder(), 'x')
  let peakBytes = 0
  const before = process.memoryUsage().rss
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage().rss - before)), 5)
  await createBundle({ repoPath: cwd, commit, haves: [], bundlePath })
  await receiveBundle({ repoPath: host, bundlePath, commit })
  clearInterval(timer)
  expect(statSync(bundlePath).size).toBeGreaterThan(60 * 1024 * 1024)
  expect(peakBytes).toBeLessThan(40 * 1024 * 1024)
})

it('mends what an interrupted fetch left: the commit object here, its history not', async () => {
  const cwd = repository({ commits: 2 })
  const host = await hostFor(cwd)
  const loose = join(tempFolder(), 'commit')
  writeFileSync(loose, `${git(cwd, 'cat-file', 'commit', 'HEAD')}\n`)
  expect(git(host, 'hash-object', '--literally', '-w', '-t', 'commit', loose)).toBe(head(cwd))
  const bundlePath = join(tempFolder(), 'x')
  await createBundle({ repoPath: cwd, commit: head(cwd), haves: [], bundlePath })
  expect((await receiveBundle({ repoPath: host, bundlePath, commit: head(cwd) })).kind).toBe('received')
  git(host, 'fsck', '--strict')
  renameSync(bundlePath, `${bundlePath}.gone`)
  expect((await receiveBundle({ repoPath: host, bundlePath, commit: head(cwd) })).kind).toBe('already_here')
})

it('lets go of received commits once a branch holds them, and of no other', async () => {
  const cwd = repository({ commits: 3 })
  const host = await hostFor(cwd)
  const bundlePath = join(tempFolder(), 'x')
  const [last = '', middle = ''] = git(cwd, 'rev-list', 'HEAD').split('\n')
  for (const commit of [middle, last]) {
    await createBundle({ repoPath: cwd, commit, haves: [], bundlePath })
    await receiveBundle({ repoPath: host, bundlePath, commit })
  }
  expect(await tidyClone({ repoPath: host })).toEqual({ droppedRefs: 0 })
  git(host, 'branch', 'handoff/1', middle)
  expect(await tidyClone({ repoPath: host })).toEqual({ droppedRefs: 1 })
  expect((await listTips({ cwd: host, prefix: 'refs/handoff/' })).map(({ sha }) => sha)).toEqual([last])
})
