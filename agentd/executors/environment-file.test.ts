import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { readEnvironmentFiles } from './environment-file.ts'

async function home(files: Record<string, string>): Promise<string> {
  const path = await tempDirForTest()
  await mkdir(join(path, 'env'), { mode: 0o700 })
  for (const [name, text] of Object.entries(files))
    await writeFile(join(path, 'env', name), text, { mode: 0o600 })
  return path
}

const base = { PATH: '/usr/bin' }

describe('readEnvironmentFiles', () => {
  it("reads what all executors get and then the executor's own file, which may build on it", async () => {
    const path = await home({
      'all.env': 'A=1\nB=1',
      'demo.env': 'B=${A}2\nPATH=/opt:${PATH}',
      'other.env': 'C=1',
    })
    const values = await readEnvironmentFiles({ home: path, executor: 'demo', base })
    expect(values).toEqual({ A: '1', B: '12', PATH: '/opt:/usr/bin' })
  })

  it('is content without files, but not when one was named', async () => {
    const path = await home({})
    expect(await readEnvironmentFiles({ home: path, executor: 'demo', base })).toEqual({})
    const named = join(path, 'env', 'work.env')
    const reading = readEnvironmentFiles({ home: path, executor: 'demo', base, required: [named] })
    await expect(reading).rejects.toMatchObject({ code: 'environment_file', details: { path: named } })
  })

  it('refuses a file that others can read, and says how to mend it', async () => {
    const path = await home({ 'all.env': 'A=1' })
    await chmod(join(path, 'env', 'all.env'), 0o640)
    const reading = readEnvironmentFiles({ home: path, executor: 'demo', base })
    await expect(reading).rejects.toMatchObject({
      code: 'environment_file',
      hint: expect.stringContaining('chmod 600') as string,
    })
  })

  it('refuses what is not a regular file without waiting for it', async () => {
    const path = await home({})
    execFileSync('mkfifo', ['-m', '600', join(path, 'env', 'all.env')])
    const reading = readEnvironmentFiles({ home: path, executor: 'demo', base })
    await expect(reading).rejects.toThrow('not a regular file')
  })

  it('judges the file behind a link', async () => {
    const path = await home({ 'real.txt': 'A=1' })
    await symlink(join(path, 'env', 'real.txt'), join(path, 'env', 'all.env'))
    expect(await readEnvironmentFiles({ home: path, executor: 'demo', base })).toEqual({ A: '1' })
    await chmod(join(path, 'env', 'real.txt'), 0o644)
    await expect(readEnvironmentFiles({ home: path, executor: 'demo', base })).rejects.toThrow('by others')
  })

  it('refuses a file above 64 KiB', async () => {
    const path = await home({ 'all.env': `A=${'x'.repeat(64 * 1024)}` })
    await expect(readEnvironmentFiles({ home: path, executor: 'demo', base })).rejects.toThrow('64 KiB')
  })
})
