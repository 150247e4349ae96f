import { mkdir, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { assertBranchName } from './branch-name.ts'
import { completeCheckout } from './checkout.ts'
import { branchTip } from './repository.ts'
import { assertFullSha, resolveCommit } from './revision.ts'
import { runGit } from './run.ts'
import { canonicalPath, findWorktree, listWorktrees, type Worktree } from './worktree-list.ts'

/** What to check out: a new branch at a commit, or a branch that exists. */
export type BranchChoice = { kind: 'new'; name: string; commit: string } | { kind: 'existing'; name: string }

/** A worktree that is ready for work. `already_there`: an earlier call (perhaps before a crash) had made it. */
export interface AddedWorktree {
  kind: 'created' | 'already_there'
  path: string
  branch: string
  head: string
}

interface AddCall {
  repoPath: string
  worktreePath: string
  branch: BranchChoice
  signal?: AbortSignal | undefined
}

const ATTEMPTS = 10

/**
 * Makes a worktree for a branch. Calling it again with the same target answers the same worktree, also after a crash in
 * the middle. Throws git.branch_exists (a new branch that is elsewhere already), git.branch_checked_out,
 * git.unknown_revision, git.would_lose_changes (the folder is in use for something else), git.bad_name.
 */
export async function addWorktree(call: AddCall): Promise<AddedWorktree> {
  assertBranchName(call.branch.name)
  if (call.branch.kind === 'new') {
    assertFullSha(call.branch.commit)
    await resolveCommit({ cwd: call.repoPath, revision: call.branch.commit, signal: call.signal })
  }
  for (let attempt = 1; ; attempt += 1) {
    // Everything is looked at again each time: what stood in the way may be gone, or may be told more clearly.
    const ready = await existingWorktree(call)
    if (ready !== undefined) {
      await completeCheckout({ path: ready.path, signal: call.signal })
      return ready
    }
    const createsBranch = await checkBranch(call)
    await mkdir(dirname(call.worktreePath), { recursive: true })
    try {
      await runAdd(call, createsBranch)
      break
    } catch (error) {
      // Several adds at once meet at git's own locks, which it does not wait for.
      if (!(error instanceof AppError) || error.code !== 'git.failed' || attempt >= ATTEMPTS) throw error
      await delay(attempt * 40 + Math.random() * 60, undefined, {
        ...(call.signal ? { signal: call.signal } : {}),
      })
    }
  }
  const made = await findWorktree({ cwd: call.repoPath, path: call.worktreePath, signal: call.signal })
  if (made?.head === undefined)
    throw new AppError({ code: 'git.failed', message: `git did not make ${call.worktreePath}.` })
  await completeCheckout({ path: made.path, signal: call.signal })
  return { kind: 'created', path: made.path, branch: call.branch.name, head: made.head }
}

/** Forgets worktrees whose folders are gone. Branches stay. */
export async function pruneWorktrees({
  repoPath,
  signal,
}: {
  repoPath: string
  signal?: AbortSignal | undefined
}): Promise<void> {
  await runGit({ cwd: repoPath, signal, args: ['worktree', 'prune'] })
}

async function runAdd(
  { repoPath, worktreePath, branch, signal }: AddCall,
  createsBranch: boolean,
): Promise<void> {
  const args = ['worktree', 'add', '--quiet', '--no-checkout', '--no-guess-remote']
  // `./`-free absolute paths cannot read as options; names and shas were checked.
  if (createsBranch && branch.kind === 'new')
    args.push('--no-track', '-b', branch.name, '--', await canonicalPath(worktreePath), branch.commit)
  else args.push('--', await canonicalPath(worktreePath), branch.name)
  await runGit({ cwd: repoPath, signal, args })
}

/** The worktree at the target if it is the wanted one; clears away what a crash left; throws when something else is there. */
async function existingWorktree({
  repoPath,
  worktreePath,
  branch,
  signal,
}: AddCall): Promise<AddedWorktree | undefined> {
  const known = await findWorktree({ cwd: repoPath, path: worktreePath, signal })
  if (known === undefined) {
    if (await isFolderInUse(worktreePath)) throw inUse(worktreePath)
    return undefined
  }
  // `git worktree add` locks with this reason for the moment in which it writes its records: a crash fell into it.
  if (known.lockReason === 'initializing') {
    await runGit({
      cwd: repoPath,
      signal,
      args: ['worktree', 'remove', '--force', '--force', '--', known.path],
    })
    return undefined
  }
  if (known.prunable && known.lockReason === undefined) {
    await runGit({ cwd: repoPath, signal, args: ['worktree', 'remove', '--force', '--', known.path] })
    return undefined
  }
  if (known.branch !== branch.name || known.head === undefined) throw inUse(worktreePath)
  return { kind: 'already_there', path: known.path, branch: branch.name, head: known.head }
}

/** Whether the branch has still to be created; throws when it cannot be had. */
async function checkBranch({ repoPath, branch, signal }: AddCall): Promise<boolean> {
  const tip = await branchTip({ cwd: repoPath, branch: branch.name, signal })
  if (tip === undefined) {
    if (branch.kind === 'new') return true
    throw new AppError({
      code: 'git.unknown_revision',
      message: `There is no branch ${branch.name} in this repository.`,
      hint: 'See `git branch`, or leave the branch out to have one made.',
    })
  }
  if (branch.kind === 'new' && tip !== branch.commit) {
    throw new AppError({
      code: 'git.branch_exists',
      message: `The branch ${branch.name} exists already, at another commit.`,
      hint: `Continue on it with --branch ${branch.name}, or give the task another title.`,
      details: { branch: branch.name, commit: tip },
    })
  }
  const user = await whoHasBranch({ cwd: repoPath, branch: branch.name, signal })
  if (user !== undefined) throw branchCheckedOut(branch.name, user.path)
  return false
}

/** The working tree in which a branch is checked out, or undefined. */
export async function whoHasBranch({
  cwd,
  branch,
  signal,
}: {
  cwd: string
  branch: string
  signal?: AbortSignal | undefined
}): Promise<Worktree | undefined> {
  return (await listWorktrees({ cwd, signal })).find(
    (worktree) => worktree.branch === branch && !worktree.bare && !worktree.prunable,
  )
}

/** The error for a branch that another working tree holds. */
export function branchCheckedOut(branch: string, path: string): AppError {
  return new AppError({
    code: 'git.branch_checked_out',
    message: `The branch ${branch} is checked out in ${path}.`,
    hint: 'Switch that working tree to another branch first, or use another branch.',
    details: { branch, path },
  })
}

async function isFolderInUse(path: string): Promise<boolean> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    return [String(error.code)]
  })
  return entries.length > 0
}

function inUse(path: string): AppError {
  return new AppError({
    code: 'git.would_lose_changes',
    message: `${path} is in use for something else.`,
    hint: 'Move that folder away, then try again.',
  })
}
