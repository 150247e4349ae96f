import path from 'node:path'
import { shortId, type Task } from '../../shared/domain/task.ts'
import { worktreeFolder } from '../../shared/node/git/branch-name.ts'
import { enterInPlace } from '../../shared/node/git/in-place.ts'
import { branchTip } from '../../shared/node/git/repository.ts'
import { addWorktree, type BranchChoice } from '../../shared/node/git/worktree.ts'
import { removeWorktree, type RemoveOutcome } from '../../shared/node/git/worktree-remove.ts'
import { assertNever } from '../../shared/errors.ts'

/** Where a task's worktree will be: a folder of its own under the home, or the person's own tree. */
export function plannedWorktree({
  home,
  task,
}: {
  home: string
  task: Pick<Task, 'id' | 'inPlace' | 'repo'>
}): string {
  return task.inPlace ? task.repo.path : worktreeFolder({ home, repoPath: task.repo.path, taskId: task.id })
}

/**
 * Makes the task's worktree and branch ready, or finds them ready (agentd may have been killed after making them). With
 * `allowDirty`, work in place begins in a dirty tree.
 */
export async function prepareWorkspace(
  task: Task,
  { allowDirty, signal }: { allowDirty: boolean; signal: AbortSignal },
): Promise<void> {
  const branch = await branchChoice(task, signal)
  if (task.inPlace) {
    await enterInPlace({ repoPath: task.repo.path, branch, allowDirty, signal })
    return
  }
  await addWorktree({ repoPath: task.repo.path, worktreePath: task.worktree, branch, signal })
}

/** A branch that stands elsewhere than at the task's base was chosen by the person (`--branch`) and is carried on. */
async function branchChoice(task: Task, signal: AbortSignal): Promise<BranchChoice> {
  const tip = await branchTip({ cwd: task.repo.path, branch: task.branch, signal })
  return tip === undefined
    ? { kind: 'new', name: task.branch, commit: task.base }
    : { kind: 'existing', name: task.branch }
}

/** Removes an ended task's worktree unless something would be lost; the branch always stays. */
export async function removeWorkspace(task: Task): Promise<{ worktree: 'removed' | 'kept'; why?: string }> {
  // Switching a person's own tree back is theirs to do: they may be in the middle of looking at it.
  if (task.inPlace)
    return { worktree: 'kept', why: `The task worked in place; the tree is on ${task.branch}.` }
  const outcome = await removeWorktree({ repoPath: task.repo.path, worktreePath: task.worktree })
  return outcome.kind === 'kept' ? { worktree: 'kept', why: keptWhy(outcome) } : { worktree: 'removed' }
}

/** Why a worktree was kept, in a sentence. */
export function keptWhy(outcome: Extract<RemoveOutcome, { kind: 'kept' }>): string {
  switch (outcome.reason) {
    case 'uncommitted':
      return 'It has files that are not committed.'
    case 'commits_on_no_branch':
      return `Its commit ${outcome.commit.slice(0, 12)} is on no branch.`
    case 'submodules':
      return 'It has submodules.'
    case 'locked':
      return 'It is locked (git worktree lock).'
    case 'main_worktree':
      return 'It is the main working tree of the repository.'
    default:
      return assertNever(outcome)
  }
}

/** The tmux session that owns a task's executor. */
export function tmuxSession(taskId: string): string {
  return `handoff-${shortId(taskId)}`
}

/** The folder of a task's own files: logs, sockets, executor configuration. */
export function taskFolder(home: string, taskId: string): string {
  return path.join(home, 'tasks', shortId(taskId))
}
