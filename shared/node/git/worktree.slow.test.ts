import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  commitAll,
  emptyRepository,
  git,
  repository,
  tempFolder,
  write,
} from '../../../tests/support/temp-repository.ts'
import { until } from '../../../tests/support/until.ts'
import { enterInPlace, leaveInPlace } from './in-place.ts'
import { addWorktree, pruneWorktrees, whoHasBranch } from './worktree.ts'
import { listWorktrees } from './worktree-list.ts'
import { removeWorktree } from './worktree-remove.ts'

function newBranch(cwd: string, name = 'handoff/12345678-x') {
  return { kind: 'new', name, commit: git(cwd, 'rev-parse', 'HEAD') } as const
}

it('adds a worktree on a new branch, and answers the same one when called again', async () => {
  const cwd = repository({ commits: 2 })
  const worktreePath = join(tempFolder(), 'work trees', '项目-1')
  const call = { repoPath: cwd, worktreePath, branch: newBranch(cwd) }
  const made = await addWorktree(call)
  expect(made).toEqual({
    kind: 'created',
    path: worktreePath,
    branch: call.branch.name,
    head: call.branch.commit,
  })
  expect(readFileSync(join(worktreePath, 'file.txt'), 'utf8')).toContain('2')
  expect(await addWorktree(call)).toEqual({ ...made, kind: 'already_there' })
  const head = commitAll(worktreePath, 'work')
  expect(await addWorktree(call)).toEqual({ ...made, kind: 'already_there', head })
})

it('recognises its worktree through a symlinked parent', async () => {
  const cwd = repository()
  const folder = tempFolder()
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  const call = { repoPath: cwd, worktreePath: join(folder, 'link', 'w'), branch: newBranch(cwd) }
  expect((await addWorktree(call)).kind).toBe('created')
  expect((await addWorktree(call)).kind).toBe('already_there')
})

it('finishes what a crash left: the branch made, the checkout half done, or the folder gone', async () => {
  const cwd = repository()
  const worktreePath = join(tempFolder(), 'w')
  const call = { repoPath: cwd, worktreePath, branch: newBranch(cwd) }
  git(cwd, 'branch', call.branch.name)
  expect((await addWorktree(call)).kind).toBe('created')
  writeFileSync(join(cwd, '.git/worktrees/w/locked'), 'initializing')
  rmSync(join(worktreePath, 'file.txt'))
  expect((await addWorktree(call)).kind).toBe('created')
  expect(existsSync(join(worktreePath, 'file.txt'))).toBe(true)
  rmSync(worktreePath, { recursive: true })
  expect((await addWorktree(call)).kind).toBe('created')
})

it('does a checkout again that was killed, and waits for one that goes on without its parent', async () => {
  const cwd = repository()
  for (let index = 0; index < 400; index += 1) write(cwd, `many/${index}`, `${index}`)
  commitAll(cwd, 'many')
  const folder = tempFolder()
  for (const kill of [true, false]) {
    const worktreePath = join(folder, String(kill))
    const branch = newBranch(cwd, `handoff/${kill}`)
    git(cwd, 'worktree', 'add', '-q', '--no-checkout', '-b', branch.name, worktreePath)
    const child = spawn('git', ['reset', '--hard', '-q'], { cwd: worktreePath, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until('the checkout to begin', () => existsSync(join(worktreePath, 'many')), { intervalMs: 1 })
    if (kill) child.kill('SIGKILL')
    const call = addWorktree({ repoPath: cwd, worktreePath, branch })
    expect(await call).toMatchObject({ kind: 'already_there' })
    await ended
    expect(child.signalCode).toBe(kill ? 'SIGKILL' : null)
    expect(git(worktreePath, 'status', '--porcelain')).toBe('')
  }
})

it('refuses a taken branch, a missing one, a folder in use and a bad name, and leaves all as it was', async () => {
  const cwd = repository({ commits: 2 })
  const folder = tempFolder()
  const add = (name: string, kind: 'new' | 'existing', path = 'w') =>
    addWorktree({
      repoPath: cwd,
      worktreePath: join(folder, path),
      branch: kind === 'new' ? newBranch(cwd, name) : { kind, name },
    })
  await expect(add('main', 'existing')).rejects.toMatchObject({
    code: 'git.branch_checked_out',
    details: { path: cwd },
  })
  await expect(add('nope', 'existing')).rejects.toMatchObject({ code: 'git.unknown_revision' })
  git(cwd, 'branch', 'old', 'HEAD~1')
  await expect(add('old', 'new')).rejects.toMatchObject({ code: 'git.branch_exists' })
  await expect(add('--force', 'new')).rejects.toMatchObject({ code: 'git.bad_name' })
  write(folder, 'mine/notes.txt', 'keep')
  await expect(add('fresh', 'new', 'mine')).rejects.toMatchObject({ code: 'git.would_lose_changes' })
  expect(readFileSync(join(folder, 'mine/notes.txt'), 'utf8')).toBe('keep')
  expect(git(cwd, 'branch', '--list', 'fresh')).toBe('')
  const call = {
    repoPath: cwd,
    worktreePath: join(folder, 'w'),
    branch: { kind: 'new', name: 'x', commit: 'f'.repeat(40) } as const,
  }
  await expect(addWorktree(call)).rejects.toMatchObject({ code: 'git.unknown_revision' })
  expect((await add('old', 'existing')).branch).toBe('old')
  await expect(add('fresh', 'new')).rejects.toMatchObject({ code: 'git.would_lose_changes' })
})

it('adds eight worktrees at once', async () => {
  const cwd = repository({ commits: 3 })
  const folder = tempFolder()
  const ids = Array.from({ length: 8 }, (_, index) => `handoff/0000000${index}-x`)
  const made = await Promise.all(
    ids.map((name, index) =>
      addWorktree({ repoPath: cwd, worktreePath: join(folder, `w${index}`), branch: newBranch(cwd, name) }),
    ),
  )
  expect(made.map(({ branch }) => branch)).toEqual(ids)
  expect((await listWorktrees({ cwd })).map(({ branch }) => branch).sort()).toEqual([...ids, 'main'])
  for (const { path } of made) expect(git(path, 'status', '--porcelain')).toBe('')
})

it('removes a worktree only when nothing is lost, and always keeps the branch', async () => {
  const cwd = repository()
  const worktreePath = join(tempFolder(), 'w')
  const branch = newBranch(cwd)
  const remove = (force = false) => removeWorktree({ repoPath: cwd, worktreePath, force })
  await addWorktree({ repoPath: cwd, worktreePath, branch })
  write(worktreePath, '新 file\n.txt', 'untracked')
  expect(await remove()).toMatchObject({
    kind: 'kept',
    reason: 'uncommitted',
    changes: { untracked: ['新 file\n.txt'] },
  })
  commitAll(worktreePath, 'kept on the branch')
  git(worktreePath, 'checkout', '-q', '--detach')
  const lonely = commitAll(worktreePath, 'on no branch')
  expect(await remove()).toEqual({ kind: 'kept', reason: 'commits_on_no_branch', commit: lonely })
  git(worktreePath, 'checkout', '-q', branch.name)
  git(cwd, 'worktree', 'lock', worktreePath)
  expect(await remove(true)).toEqual({ kind: 'kept', reason: 'locked' })
  git(cwd, 'worktree', 'unlock', worktreePath)
  expect(await remove()).toEqual({ kind: 'removed' })
  expect(await remove()).toEqual({ kind: 'missing' })
  expect(git(cwd, 'log', '-1', '--format=%s', branch.name)).toBe('kept on the branch')
  expect(await removeWorktree({ repoPath: cwd, worktreePath: cwd, force: true })).toEqual({
    kind: 'kept',
    reason: 'main_worktree',
  })
})

it('removes by force what is dirty, and forgets folders that are gone', async () => {
  const cwd = repository()
  const folder = tempFolder()
  await addWorktree({ repoPath: cwd, worktreePath: join(folder, 'a'), branch: newBranch(cwd, 'a') })
  await addWorktree({ repoPath: cwd, worktreePath: join(folder, 'b'), branch: newBranch(cwd, 'b') })
  write(folder, 'a/file.txt', 'changed')
  expect(await removeWorktree({ repoPath: cwd, worktreePath: join(folder, 'a'), force: true })).toEqual({
    kind: 'removed',
  })
  rmSync(join(folder, 'b'), { recursive: true })
  expect(await whoHasBranch({ cwd, branch: 'b' })).toBeUndefined()
  await pruneWorktrees({ repoPath: cwd })
  expect(await listWorktrees({ cwd })).toHaveLength(1)
})

it('keeps a worktree whose submodule is in use and removes one whose submodule was never fetched', async () => {
  const inner = repository({ name: 'inner' })
  const cwd = repository()
  git(cwd, 'submodule', '--quiet', 'add', `file://${inner}`, 'sub')
  commitAll(cwd, 'with submodule')
  const worktreePath = join(tempFolder(), 'w')
  await addWorktree({ repoPath: cwd, worktreePath, branch: newBranch(cwd) })
  git(worktreePath, 'submodule', '--quiet', 'update', '--init')
  expect(await removeWorktree({ repoPath: cwd, worktreePath })).toEqual({
    kind: 'kept',
    reason: 'submodules',
  })
  git(worktreePath, 'submodule', '--quiet', 'deinit', '--all', '-f')
  expect(await removeWorktree({ repoPath: cwd, worktreePath })).toEqual({ kind: 'removed' })
})

it('switches the person’s own tree to the task branch and back', async () => {
  const cwd = repository({ commits: 2 })
  const branch = newBranch(cwd)
  const { kind, former } = await enterInPlace({ repoPath: cwd, branch })
  expect({ kind, former }).toEqual({ kind: 'switched', former: { kind: 'branch', branch: 'main' } })
  expect((await enterInPlace({ repoPath: cwd, branch })).kind).toBe('already_there')
  write(cwd, 'left.txt', 'by the task')
  await expect(leaveInPlace({ repoPath: cwd, former })).rejects.toMatchObject({ code: 'git.dirty' })
  commitAll(cwd, 'work')
  await leaveInPlace({ repoPath: cwd, former })
  await leaveInPlace({ repoPath: cwd, former })
  expect(git(cwd, 'branch', '--show-current')).toBe('main')
  expect(existsSync(join(cwd, 'left.txt'))).toBe(false)
  git(cwd, 'checkout', '-q', '--detach')
  const detached = await enterInPlace({ repoPath: cwd, branch: { kind: 'existing', name: branch.name } })
  await leaveInPlace({ repoPath: cwd, former: detached.former })
  expect(git(cwd, 'branch', '--show-current')).toBe('')
})

it('never loses a change in place: refuses dirty trees, carries changes when told to, stops where they would be overwritten', async () => {
  const cwd = repository({ commits: 2 })
  const old = git(cwd, 'rev-parse', 'HEAD~1')
  write(cwd, 'file.txt', 'my change')
  write(cwd, '未跟踪.txt', 'mine')
  await expect(enterInPlace({ repoPath: cwd, branch: newBranch(cwd) })).rejects.toMatchObject({
    code: 'git.dirty',
  })
  const toOld = {
    repoPath: cwd,
    branch: { kind: 'new', name: 'old', commit: old } as const,
    allowDirty: true,
  }
  await expect(enterInPlace(toOld)).rejects.toMatchObject({ code: 'git.would_lose_changes' })
  expect(git(cwd, 'branch', '--show-current')).toBe('main')
  expect(git(cwd, 'branch', '--list', 'old')).toBe('')
  await enterInPlace({ repoPath: cwd, branch: newBranch(cwd), allowDirty: true })
  expect(readFileSync(join(cwd, 'file.txt'), 'utf8')).toBe('my change')
  expect(readFileSync(join(cwd, '未跟踪.txt'), 'utf8')).toBe('mine')
  const empty = emptyRepository()
  const branch = { kind: 'new', name: 'x', commit: old } as const
  await expect(enterInPlace({ repoPath: empty, branch })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
})
