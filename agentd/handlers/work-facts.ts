import { existsSync } from 'node:fs'
import type { Task } from '../../shared/domain/task.ts'
import { chooseRemote } from '../../shared/node/git/push.ts'
import { branchTip } from '../../shared/node/git/repository.ts'
import { countCommits } from '../../shared/node/git/revision.ts'
import type { CallOutput } from '../../shared/protocol.ts'

type WorkFacts = Pick<CallOutput<'task.diff'>, 'pushTo' | 'hasWorktree' | 'commits'>

/**
 * What is to be known of changes besides themselves (see the protocol). `to` is absent when they reach to the worktree as it is.
 * Throws what git says when it cannot be asked.
 */
export async function workFactsOf(
  task: Task,
  { from, to, signal }: { from: string; to: string | undefined; signal: AbortSignal },
): Promise<WorkFacts> {
  const { path: cwd } = task.repo
  const end = to ?? (await branchTip({ cwd, branch: task.branch, signal }))
  const commits = end === undefined ? undefined : await countCommits({ cwd, from, to: end, signal })
  const hasWorktree = existsSync(task.worktree)
  return {
    hasWorktree,
    ...(commits === undefined ? {} : { commits }),
    ...(hasWorktree ? await pushTarget(task, signal) : {}),
  }
}

async function pushTarget(task: Task, signal: AbortSignal): Promise<Pick<WorkFacts, 'pushTo'>> {
  // Only then can somebody choose it.
  if (task.state !== 'waiting_review') return {}
  const remote = await chooseRemote({ repoPath: task.worktree, branch: task.branch, signal })
  return { pushTo: remote?.slice(0, 1_000) ?? null }
}
