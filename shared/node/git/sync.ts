import { AppError } from '../../errors.ts'
import { assertBranchName } from './branch-name.ts'
import { dropIncoming, incomingRef, receiveBundle } from './bundle-receive.ts'
import { branchTip } from './repository.ts'
import { assertFullSha, commitsPresent, isAncestor } from './revision.ts'
import { runGit } from './run.ts'
import { whoHasBranch } from './worktree.ts'

/**
 * What became of the local branch. In every case the work is in the repository: where the branch was not moved,
 * `keptAt` is the ref that holds it.
 */
export type SyncOutcome =
  | { kind: 'created' | 'unchanged'; branch: string; commit: string }
  | { kind: 'updated'; branch: string; from: string; commit: string }
  /** The local branch has commits of its own beyond `commit`. */
  | { kind: 'local_ahead'; branch: string; local: string; commit: string }
  | { kind: 'diverged'; branch: string; local: string; commit: string; keptAt: string }
  | {
      kind: 'checked_out_here'
      branch: string
      local: string
      commit: string
      worktreePath: string
      keptAt: string
    }

interface SyncCall {
  repoPath: string
  branch: string
  commit: string
  /** Needed unless the commit is here already. */
  bundlePath?: string
  signal?: AbortSignal | undefined
}

/**
 * Brings a task's branch into the dispatching repository as a local branch: fetch only, fast-forward only, never a merge or
 * checkout, and never moves a branch that some working tree has checked out. Throws as `receiveBundle`, git.bad_name,
 * git.unknown_revision (no bundle and no such commit), git.branch_exists (a branch whose name stands in the way).
 */
export async function syncBranch({
  repoPath,
  branch,
  commit,
  bundlePath,
  signal,
}: SyncCall): Promise<SyncOutcome> {
  assertBranchName(branch)
  assertFullSha(commit)
  await bringCommit({ repoPath, commit, bundlePath, signal })
  const outcome = await moveBranch({ repoPath, branch, commit, signal })
  // Once a branch holds the commit, the ref that kept it alive has done its work.
  if (!('keptAt' in outcome)) await dropIncoming({ repoPath, commit, signal })
  return outcome
}

async function bringCommit({
  repoPath,
  commit,
  bundlePath,
  signal,
}: {
  repoPath: string
  commit: string
  bundlePath: string | undefined
  signal: AbortSignal | undefined
}): Promise<void> {
  if (bundlePath !== undefined) {
    await receiveBundle({ repoPath, bundlePath, commit, signal })
    return
  }
  if ((await commitsPresent({ cwd: repoPath, shas: [commit], signal })).length === 0) {
    throw new AppError({
      code: 'git.unknown_revision',
      message: `The commit ${commit} is not in this repository.`,
      hint: 'Pull the task again, so that its commits are sent.',
    })
  }
  await runGit({ cwd: repoPath, signal, args: ['update-ref', '--no-deref', incomingRef(commit), commit] })
}

async function moveBranch({
  repoPath,
  branch,
  commit,
  signal,
}: {
  repoPath: string
  branch: string
  commit: string
  signal: AbortSignal | undefined
}): Promise<SyncOutcome> {
  const local = await branchTip({ cwd: repoPath, branch, signal })
  if (local === undefined) {
    await updateRef({ repoPath, branch, commit, from: '', signal })
    return { kind: 'created', branch, commit }
  }
  if (local === commit) return { kind: 'unchanged', branch, commit }
  if (await isAncestor({ cwd: repoPath, ancestor: commit, descendant: local, signal })) {
    return { kind: 'local_ahead', branch, local, commit }
  }
  const keptAt = incomingRef(commit)
  if (!(await isAncestor({ cwd: repoPath, ancestor: local, descendant: commit, signal }))) {
    return { kind: 'diverged', branch, local, commit, keptAt }
  }
  const user = await whoHasBranch({ cwd: repoPath, branch, signal })
  if (user !== undefined)
    return { kind: 'checked_out_here', branch, local, commit, worktreePath: user.path, keptAt }
  await updateRef({ repoPath, branch, commit, from: local, signal })
  return { kind: 'updated', branch, from: local, commit }
}

async function updateRef({
  repoPath,
  branch,
  commit,
  from,
  signal,
}: {
  repoPath: string
  branch: string
  commit: string
  from: string
  signal: AbortSignal | undefined
}): Promise<void> {
  // The old value makes git refuse if someone else moved the branch since we looked; an empty one means "must be new".
  const args = [
    'update-ref',
    '--create-reflog',
    '-m',
    'handoff: synced',
    `refs/heads/${branch}`,
    commit,
    from,
  ]
  await runGit({ cwd: repoPath, signal, args }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'git.failed') throw error
    throw new AppError(
      {
        code: from === '' ? 'git.branch_exists' : 'git.failed',
        message: `The local branch ${branch} could not be written: ${error.message}`,
        hint: 'Rename the branch that stands in the way, or run the pull again.',
      },
      { cause: error },
    )
  })
}
