import { runGit } from './run.ts'
import { isDirty, readChanges, type Changes } from './status.ts'
import { findWorktree, listWorktrees } from './worktree-list.ts'

/** What became of a worktree that should go. Branches are kept always. */
export type RemoveOutcome =
  | { kind: 'removed' }
  | { kind: 'missing' }
  | { kind: 'kept'; reason: 'uncommitted'; changes: Changes }
  | { kind: 'kept'; reason: 'commits_on_no_branch'; commit: string }
  | { kind: 'kept'; reason: 'submodules' | 'locked' | 'main_worktree' }

/**
 * Removes a worktree if nothing is lost by it. Kept (unless `force`): uncommitted or untracked files, commits that only a
 * detached HEAD holds, submodules (their commits live inside the worktree). Locked ones and the main working tree are
 * always kept. Ignored files go.
 */
export async function removeWorktree({
  repoPath,
  worktreePath,
  force = false,
  signal,
}: {
  repoPath: string
  worktreePath: string
  force?: boolean
  signal?: AbortSignal | undefined
}): Promise<RemoveOutcome> {
  const worktrees = await listWorktrees({ cwd: repoPath, signal })
  const worktree = await findWorktree({ cwd: repoPath, path: worktreePath, signal, worktrees })
  if (worktree === undefined) return { kind: 'missing' }
  // The main working tree is always listed first (git-worktree(1)).
  if (worktrees[0]?.path === worktree.path) return { kind: 'kept', reason: 'main_worktree' }
  if (worktree.lockReason !== undefined) return { kind: 'kept', reason: 'locked' }
  if (!worktree.prunable && !force) {
    const obstacle = await whatWouldBeLost(worktree, signal)
    if (obstacle !== undefined) return obstacle
  }
  // Without --force git itself looks again, so a file written since the check above is kept too. It always refuses
  // where a submodule is mentioned, even one that was never fetched.
  const insist =
    force || worktree.prunable || (await submodulesIn(worktree.path, signal)) === 'not_initialised'
  const args = ['worktree', 'remove', ...(insist ? ['--force'] : []), '--', worktree.path]
  await runGit({ cwd: repoPath, signal, args, timeoutMs: 10 * 60_000 })
  return { kind: 'removed' }
}

async function whatWouldBeLost(
  { path, branch, head }: { path: string; branch: string | undefined; head: string | undefined },
  signal: AbortSignal | undefined,
): Promise<RemoveOutcome | undefined> {
  const changes = await readChanges({ cwd: path, signal })
  if (isDirty(changes)) return { kind: 'kept', reason: 'uncommitted', changes }
  if (branch === undefined && head !== undefined) {
    const args = ['rev-list', '--max-count=1', head, '--not', '--branches', '--tags', '--remotes']
    const { stdout } = await runGit({ cwd: path, signal, args })
    if (stdout.trim() !== '') return { kind: 'kept', reason: 'commits_on_no_branch', commit: head }
  }
  return (await submodulesIn(path, signal)) === 'in_use' ? { kind: 'kept', reason: 'submodules' } : undefined
}

async function submodulesIn(
  path: string,
  signal: AbortSignal | undefined,
): Promise<'none' | 'not_initialised' | 'in_use'> {
  const { stdout, exitCode } = await runGit({
    cwd: path,
    signal,
    args: ['submodule', 'status'],
    alsoOk: [1, 128],
  })
  // A nested repository without an entry in .gitmodules: its commits may be nowhere else.
  if (exitCode !== 0) return 'in_use'
  const lines = stdout.split('\n').filter(Boolean)
  if (lines.length === 0) return 'none'
  // `-` in front means not initialised, so nothing of it is here.
  return lines.every((line) => line.startsWith('-')) ? 'not_initialised' : 'in_use'
}
