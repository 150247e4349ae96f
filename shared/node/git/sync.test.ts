import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  commitAll,
  fingerprint,
  git,
  repository,
  tempFolder,
  write,
} from '../../../tests/support/temp-repository.ts'
import { createBundle } from './bundle-create.ts'
import { pushBranch } from './push.ts'
import { syncBranch } from './sync.ts'
import { addWorktree } from './worktree.ts'

const BRANCH = 'handoff/12345678-x'
const head = (cwd: string) => git(cwd, 'rev-parse', 'HEAD')

/** A dispatching repository, and a clone of it where the task's commits are made. */
function pair() {
  const here = repository({ commits: 2 })
  const there = join(tempFolder(), 'there')
  git(here, 'clone', '-q', here, there)
  const bundlePath = join(tempFolder(), 'result.bundle')
  const round = async (message: string) => {
    write(there, `${message}.txt`, message)
    const commit = commitAll(there, message)
    await createBundle({ repoPath: there, commit, haves: [head(here)], bundlePath })
    return { repoPath: here, branch: BRANCH, commit, bundlePath }
  }
  return { here, there, round }
}

it('creates, fast-forwards and leaves alone the local branch, and nothing else', async () => {
  const { here, round } = pair()
  write(here, 'file.txt', 'uncommitted work of the person')
  const before = fingerprint(here)
  const first = await round('one')
  expect(await syncBranch(first)).toEqual({ kind: 'created', branch: BRANCH, commit: first.commit })
  expect(await syncBranch(first)).toEqual({ kind: 'unchanged', branch: BRANCH, commit: first.commit })
  const second = await round('two')
  expect(await syncBranch(second)).toEqual({
    kind: 'updated',
    branch: BRANCH,
    from: first.commit,
    commit: second.commit,
  })
  expect(await syncBranch(first)).toEqual({
    kind: 'local_ahead',
    branch: BRANCH,
    local: second.commit,
    commit: first.commit,
  })
  expect(git(here, 'rev-parse', BRANCH)).toBe(second.commit)
  expect(git(here, 'for-each-ref', 'refs/handoff')).toBe('')
  git(here, 'branch', '-D', BRANCH)
  expect(fingerprint(here)).toBe(before)
})

it('keeps a diverged local branch, tells both ends, and keeps the work reachable', async () => {
  const { here, there, round } = pair()
  const first = await round('one')
  await syncBranch(first)
  const tree = git(here, 'rev-parse', 'HEAD^{tree}')
  const local = git(here, 'commit-tree', tree, '-p', first.commit, '-m', 'my own')
  git(here, 'update-ref', `refs/heads/${BRANCH}`, local)
  const second = await round('two')
  const keptAt = `refs/handoff/incoming/${second.commit}`
  expect(await syncBranch(second)).toEqual({
    kind: 'diverged',
    branch: BRANCH,
    local,
    commit: second.commit,
    keptAt,
  })
  expect(git(here, 'rev-parse', BRANCH)).toBe(local)
  git(here, 'gc', '-q', '--prune=now')
  expect(git(here, 'rev-parse', keptAt)).toBe(head(there))
})

it('does not move a branch that a working tree has checked out', async () => {
  const { here, round } = pair()
  const first = await round('one')
  await syncBranch(first)
  const worktreePath = join(tempFolder(), 'w')
  await addWorktree({ repoPath: here, worktreePath, branch: { kind: 'existing', name: BRANCH } })
  const second = await round('two')
  expect(await syncBranch(second)).toMatchObject({
    kind: 'checked_out_here',
    worktreePath,
    local: first.commit,
  })
  expect(head(worktreePath)).toBe(first.commit)
  expect(git(worktreePath, 'status', '--porcelain')).toBe('')
})

it('refuses names, commits and bundles that are not right, and a branch that stands in the way', async () => {
  const { here, round } = pair()
  const good = await round('one')
  const before = fingerprint(here)
  await expect(syncBranch({ ...good, branch: '../../HEAD' })).rejects.toMatchObject({ code: 'git.bad_name' })
  await expect(syncBranch({ ...good, commit: 'main' })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
  await expect(syncBranch({ ...good, commit: 'a'.repeat(40) })).rejects.toMatchObject({
    code: 'git.bad_bundle',
  })
  const { bundlePath: _, ...noBundle } = good
  await expect(syncBranch(noBundle)).rejects.toMatchObject({ code: 'git.unknown_revision' })
  expect(fingerprint(here)).toBe(before)
  git(here, 'branch', 'handoff')
  await expect(syncBranch(good)).rejects.toMatchObject({ code: 'git.branch_exists' })
})

it('pushes a branch, says up to date, and is rejected instead of forcing', async () => {
  const cwd = repository({ commits: 2 })
  expect(await pushBranch({ repoPath: cwd, branch: 'main' })).toEqual({ kind: 'no_remote' })
  const bare = join(tempFolder(), 'bare.git')
  git(cwd, 'clone', '-q', '--bare', cwd, bare)
  git(cwd, 'remote', 'add', 'upstream', bare)
  git(cwd, 'branch', BRANCH)
  const push = () => pushBranch({ repoPath: cwd, branch: BRANCH })
  expect(await push()).toEqual({ kind: 'pushed', remote: 'upstream', branch: BRANCH, commit: head(cwd) })
  expect(await push()).toMatchObject({ kind: 'up_to_date' })
  git(cwd, 'config', 'remote.upstream.push', '+refs/heads/*:refs/heads/*')
  git(cwd, 'branch', '-f', BRANCH, 'HEAD~1')
  expect(await push()).toMatchObject({
    kind: 'rejected',
    reason: expect.stringContaining('non-fast-forward'),
  })
  expect(git(bare, 'rev-parse', BRANCH)).toBe(head(cwd))
  expect(await pushBranch({ repoPath: cwd, branch: BRANCH, remote: '--receive-pack=x' })).toEqual({
    kind: 'no_remote',
  })
  await expect(pushBranch({ repoPath: cwd, branch: 'nope' })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
})

it('tells a remote that cannot be reached, without the password in its url, and lets a hook of the server speak', async () => {
  const cwd = repository()
  const bare = join(tempFolder(), 'bare.git')
  git(cwd, 'clone', '-q', '--bare', cwd, bare)
  write(bare, 'hooks/pre-receive', '#!/bin/sh\necho "branch names need a ticket" >&2\nexit 1\n')
  chmodSync(join(bare, 'hooks/pre-receive'), 0o755)
  git(cwd, 'remote', 'add', 'origin', bare)
  git(cwd, 'branch', BRANCH)
  const outcome = await pushBranch({ repoPath: cwd, branch: BRANCH })
  expect(outcome).toMatchObject({
    kind: 'rejected',
    reason: expect.stringContaining('branch names need a ticket'),
  })
  git(cwd, 'remote', 'set-url', 'origin', 'http://ann:s3cret@127.0.0.1:1/x.git')
  const failed = await pushBranch({ repoPath: cwd, branch: BRANCH }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'git.push_failed' })
  expect(JSON.stringify(failed) + String(failed)).not.toContain('s3cret')
})
