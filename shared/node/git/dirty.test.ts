import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  commitAll,
  emptyRepository,
  fingerprint,
  git,
  repository,
  write,
} from '../../../tests/support/temp-repository.ts'
import { snapshotUncommitted } from './dirty.ts'
import { allChangedPaths, isDirty, readChanges } from './status.ts'

const ODD = [
  'two\nlines.txt',
  '修复 登录.txt',
  'tab\there',
  '"quoted"',
  ' lead',
  '-dash',
  ':(glob)*',
  'a\\b',
  "it's",
]

it('lists staged, unstaged and untracked files with odd names', async () => {
  const cwd = repository()
  write(cwd, '.gitignore', 'ignored\n')
  for (const name of ODD) write(cwd, name, '1')
  expect((await readChanges({ cwd })).untracked.sort()).toEqual([...ODD, '.gitignore'].sort())
  commitAll(cwd, 'odd')
  expect(isDirty(await readChanges({ cwd }))).toBe(false)
  for (const name of ODD) write(cwd, name, '2')
  write(cwd, 'ignored', 'x')
  git(cwd, 'add', '--', ':(literal)two\nlines.txt')
  git(cwd, 'mv', 'file.txt', '改名 file.txt')
  rmSync(join(cwd, ' lead'))
  const changes = await readChanges({ cwd })
  expect(changes.staged.sort()).toEqual(['file.txt', 'two\nlines.txt', '改名 file.txt'].sort())
  expect(changes.unstaged.sort()).toEqual(ODD.filter((name) => name !== 'two\nlines.txt').sort())
  expect(changes.untracked).toEqual([])
  expect(allChangedPaths(changes)).toHaveLength(ODD.length + 2)
})

it('reads the status from a subfolder with paths from the top, whatever the person has configured', async () => {
  const cwd = repository()
  git(cwd, 'config', 'status.showUntrackedFiles', 'no')
  write(cwd, 'a/b/new.txt', 'x')
  expect((await readChanges({ cwd: join(cwd, 'a') })).untracked).toEqual(['a/b/new.txt'])
})

it('holds everything uncommitted in a commit and touches nothing', async () => {
  const cwd = repository()
  write(cwd, '.gitignore', '*.log\n')
  write(cwd, 'gone.txt', 'x')
  write(cwd, 'becomes-folder', 'x')
  commitAll(cwd, 'base')
  for (const name of ODD) write(cwd, name, `content of ${name}`)
  write(cwd, 'file.txt', 'staged')
  git(cwd, 'add', 'file.txt')
  write(cwd, 'file.txt', 'later')
  rmSync(join(cwd, 'gone.txt'))
  rmSync(join(cwd, 'becomes-folder'))
  write(cwd, 'becomes-folder/inner.txt', 'x')
  write(cwd, 'secret.log', 'ignored')
  write(cwd, 'run.sh', '#!/bin/sh\n')
  chmodSync(join(cwd, 'run.sh'), 0o755)
  symlinkSync('/etc/passwd', join(cwd, 'link'))
  const before = fingerprint(cwd)
  const snapshot = await snapshotUncommitted({ cwd, message: 'My 变更' })
  expect(fingerprint(cwd)).toBe(before)
  if (snapshot.kind !== 'snapshot') throw new Error('expected a snapshot')
  const expected = [
    ...ODD,
    'file.txt',
    'gone.txt',
    'becomes-folder',
    'becomes-folder/inner.txt',
    'run.sh',
    'link',
  ]
  expect([...snapshot.files].sort()).toEqual(expected.sort())
  expect(git(cwd, 'rev-parse', `${snapshot.commit}^`)).toBe(git(cwd, 'rev-parse', 'HEAD'))
  expect(git(cwd, 'log', '-1', '--format=%s', snapshot.commit)).toBe('My 变更')
  expect(git(cwd, 'show', `${snapshot.commit}:file.txt`)).toBe('later')
  expect(git(cwd, 'show', `${snapshot.commit}:two\nlines.txt`)).toBe('content of two\nlines.txt')
  const modes = git(cwd, 'ls-tree', '-r', snapshot.commit)
  expect(modes).toMatch(/100755 .*\trun\.sh/)
  expect(modes).toMatch(/120000 .*\tlink/)
  expect(modes).not.toMatch(/gone|secret/)
})

it('says clean when there is nothing, and works without a configured name', async () => {
  const cwd = repository()
  expect(await snapshotUncommitted({ cwd })).toEqual({ kind: 'clean', leftBehind: [] })
  git(cwd, 'config', '--unset', 'user.name')
  git(cwd, 'config', '--unset', 'user.email')
  git(cwd, 'config', 'user.useConfigOnly', 'true')
  write(cwd, 'x', 'x')
  expect(await snapshotUncommitted({ cwd })).toMatchObject({ kind: 'snapshot', files: ['x'] })
})

it('lays the files over another base, but not over a different version of the same file', async () => {
  const cwd = repository({ commits: 3 })
  write(cwd, 'new.txt', 'new')
  const base = git(cwd, 'rev-parse', 'HEAD~1')
  const snapshot = await snapshotUncommitted({ cwd, base })
  if (snapshot.kind !== 'snapshot') throw new Error('expected a snapshot')
  expect(git(cwd, 'diff', '--name-only', base, snapshot.commit)).toBe('new.txt')
  write(cwd, 'file.txt', 'mine')
  await expect(snapshotUncommitted({ cwd, base })).rejects.toMatchObject({ code: 'git.dirty' })
})

it('names nested repositories as left behind, and refuses conflicts and too much', async () => {
  const cwd = repository({ commits: 2 })
  mkdirSync(join(cwd, 'nested'))
  git(join(cwd, 'nested'), 'init', '-q')
  write(cwd, 'nested/x', 'x')
  expect(await snapshotUncommitted({ cwd })).toEqual({ kind: 'clean', leftBehind: ['nested/'] })
  write(cwd, 'big', 'x'.repeat(2_000))
  await expect(snapshotUncommitted({ cwd, maxBytes: 1_000 })).rejects.toMatchObject({ code: 'too_large' })
  rmSync(join(cwd, 'big'))
  git(cwd, 'checkout', '-q', '-b', 'side', 'HEAD~1')
  write(cwd, 'file.txt', 'side')
  git(cwd, 'commit', '-q', '-am', 'side')
  expect(() => git(cwd, 'merge', 'main')).toThrow()
  await expect(snapshotUncommitted({ cwd })).rejects.toMatchObject({ code: 'git.dirty' })
  await expect(snapshotUncommitted({ cwd: emptyRepository() })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
})

it('leaves the changes inside a submodule behind, by name', async () => {
  const inner = repository({ name: 'inner' })
  const cwd = repository()
  git(cwd, 'submodule', '--quiet', 'add', `file://${inner}`, 'sub')
  commitAll(cwd, 'with submodule')
  write(cwd, 'sub/file.txt', 'changed inside')
  write(cwd, 'own.txt', 'x')
  expect((await readChanges({ cwd })).submodules).toEqual(['sub'])
  expect(await snapshotUncommitted({ cwd })).toMatchObject({ files: ['own.txt'], leftBehind: ['sub'] })
})

it('works from a linked worktree and with a detached HEAD', async () => {
  const main = repository({ commits: 2 })
  const cwd = join(main, '..', 'linked')
  git(main, 'worktree', 'add', '-q', '--detach', cwd)
  write(cwd, 'new.txt', 'x')
  const before = [fingerprint(main), fingerprint(cwd)]
  expect(await snapshotUncommitted({ cwd })).toMatchObject({ kind: 'snapshot', files: ['new.txt'] })
  expect([fingerprint(main), fingerprint(cwd)]).toEqual(before)
})
