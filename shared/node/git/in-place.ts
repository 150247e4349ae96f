import { AppError } from '../../errors.ts'
import { assertBranchName } from './branch-name.ts'
import { branchTip, readHead, type Head } from './repository.ts'
import { assertFullSha, resolveCommit } from './revision.ts'
import { runGit } from './run.ts'
import { allChangedPaths, isDirty, readChanges } from './status.ts'
import type { BranchChoice } from './worktree.ts'
import { branchCheckedOut, whoHasBranch } from './worktree.ts'

/** Where the person's working tree stood before a task began in it. */
export type FormerHead = { kind: 'branch'; branch: string } | { kind: 'detached'; commit: string }

interface EnterCall {
  repoPath: string
  branch: BranchChoice
  /** Take the working tree as it is; changes are carried over by git, which refuses where that would overwrite them. */
  allowDirty?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Switches the person's own working tree to the task's branch and says where it stood. Never overwrites a change. Called
 * again it answers `already_there` (and where it stands now: callers keep the first answer).
 * Throws git.dirty, git.branch_exists, git.branch_checked_out, git.unknown_revision, git.would_lose_changes.
 */
export async function enterInPlace({
  repoPath,
  branch,
  allowDirty = false,
  signal,
}: EnterCall): Promise<{ kind: 'switched' | 'already_there'; former: FormerHead }> {
  assertBranchName(branch.name)
  if (branch.kind === 'new') assertFullSha(branch.commit)
  const head = await readHead({ cwd: repoPath, signal })
  const former = formerOf(head)
  if (head.kind === 'branch' && head.branch === branch.name) return { kind: 'already_there', former }
  if (!allowDirty) await refuseDirty(repoPath, signal)
  const tip = await branchTip({ cwd: repoPath, branch: branch.name, signal })
  if (branch.kind === 'new' && tip !== undefined && tip !== branch.commit) {
    throw new AppError({
      code: 'git.branch_exists',
      message: `The branch ${branch.name} exists already, at another commit.`,
      hint: `Continue on it with --branch ${branch.name}, or give the task another title.`,
    })
  }
  if (branch.kind === 'new') await resolveCommit({ cwd: repoPath, revision: branch.commit, signal })
  else if (tip === undefined)
    await resolveCommit({ cwd: repoPath, revision: `refs/heads/${branch.name}`, signal })
  const create = branch.kind === 'new' && tip === undefined
  if (!create) await refuseTakenBranch(repoPath, branch.name, signal)
  const args =
    create && branch.kind === 'new' ? ['--no-track', '-c', branch.name, branch.commit] : [branch.name]
  await switchTo(repoPath, args, signal)
  return { kind: 'switched', former }
}

/**
 * Switches the person's working tree back to where it stood. Refused (git.dirty) while the task left uncommitted files,
 * unless `allowDirty`, which carries them along. The task's branch is kept.
 */
export async function leaveInPlace({
  repoPath,
  former,
  allowDirty = false,
  signal,
}: {
  repoPath: string
  former: FormerHead
  allowDirty?: boolean
  signal?: AbortSignal | undefined
}): Promise<void> {
  if (former.kind === 'branch') assertBranchName(former.branch)
  else assertFullSha(former.commit)
  const head = await readHead({ cwd: repoPath, signal })
  if (former.kind === 'branch' && head.kind === 'branch' && head.branch === former.branch) return
  if (!allowDirty) await refuseDirty(repoPath, signal)
  await switchTo(repoPath, former.kind === 'branch' ? [former.branch] : ['--detach', former.commit], signal)
}

function formerOf(head: Head): FormerHead {
  if (head.kind === 'detached') return { kind: 'detached', commit: head.commit }
  if (head.kind === 'branch') return { kind: 'branch', branch: head.branch }
  throw new AppError({
    code: 'git.unknown_revision',
    message: 'This repository has no commit yet.',
    hint: 'Make a first commit, so that there is something to begin from.',
  })
}

async function switchTo(repoPath: string, args: string[], signal: AbortSignal | undefined): Promise<void> {
  try {
    await runGit({
      cwd: repoPath,
      signal,
      args: ['switch', '--quiet', '--no-guess', ...args],
      timeoutMs: 30 * 60_000,
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'git.failed') throw error
    throw new AppError(
      {
        code: 'git.would_lose_changes',
        message: `The working tree could not be switched and is as it was: ${error.message}`,
        hint: 'Commit or stash your changes first.',
      },
      { cause: error },
    )
  }
}

async function refuseTakenBranch(
  repoPath: string,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const user = await whoHasBranch({ cwd: repoPath, branch, signal })
  if (user !== undefined) throw branchCheckedOut(branch, user.path)
}

async function refuseDirty(repoPath: string, signal: AbortSignal | undefined): Promise<void> {
  const changes = await readChanges({ cwd: repoPath, signal })
  if (!isDirty(changes)) return
  const paths = allChangedPaths(changes)
  throw new AppError({
    code: 'git.dirty',
    message: `The working tree has ${paths.length} uncommitted file(s), for example ${JSON.stringify(paths[0])}.`,
    hint: 'Commit or stash them, or say --allow-dirty to begin with them in place.',
    details: { paths: paths.slice(0, 100) },
  })
}
