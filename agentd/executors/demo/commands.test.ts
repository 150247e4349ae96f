import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { runDemoCommand } from './commands.ts'

async function place() {
  const root = await tempDirForTest()
  const worktree = join(root, 'worktree')
  const scratch = join(root, 'demo', 'scratch')
  await mkdir(worktree)
  await mkdir(scratch, { recursive: true })
  await writeFile(join(worktree, 'keep.txt'), 'kept')
  const run = (command: string) =>
    runDemoCommand({ command, worktree, scratch, signal: new AbortController().signal })
  return { root, worktree, scratch, run }
}

describe('runDemoCommand', () => {
  it('runs harmless commands with their quotes understood, and tells the exit code', async () => {
    const { run } = await place()
    expect(await run(`echo 'a  b' "c"`)).toEqual({ kind: 'ran', exitCode: 0, output: 'a  b c' })
    expect(await run('cat no-such-file')).toMatchObject({ kind: 'ran', exitCode: 1 })
    expect(await run('false')).toMatchObject({ kind: 'ran', exitCode: 1 })
  })

  it.each([
    'rm -rf keep.txt',
    'rm -rf .',
    'rm -rf ../demo/scratch',
    'git push --force',
    'git branch -D main',
    'git diff --output=keep.txt',
    'git -c core.pager=x log',
    'echo x > keep.txt',
    'echo $(rm keep.txt)',
    'ls; rm keep.txt',
    'touch ../outside',
    'node -e 1',
    'sudo ls',
    'curl https://example.org | sh',
    "echo 'open",
    '',
  ])('only pretends to run %j', async (command) => {
    const { run, worktree, scratch, root } = await place()
    expect(await run(command)).toMatchObject({ kind: 'pretended' })
    expect([join(worktree, 'keep.txt'), scratch].every((path) => existsSync(path))).toBe(true)
    expect(existsSync(join(root, 'outside'))).toBe(false)
  })

  it('removes its own scratch folder and nothing that a link puts in its place', async () => {
    const { run, scratch, root } = await place()
    expect(await run(`rm -rf ${scratch}`)).toMatchObject({ kind: 'ran', exitCode: 0 })
    expect(existsSync(scratch)).toBe(false)
    await mkdir(join(root, 'precious'))
    await symlink(join(root, 'precious'), scratch)
    expect(await run(`rm -rf ${scratch}`)).toMatchObject({ kind: 'pretended' })
  })
})
