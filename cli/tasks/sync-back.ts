import { AppError } from '../../shared/errors.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { SyncOutcome } from '../../shared/node/git/sync.ts'
import { syncBack, type SyncBack, type SyncTarget } from '../../shared/node/hosts/sync-back.ts'
import type { Context } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { again, isConnectionTrouble, type Where } from '../hosts/retry.ts'
import type { SyncOut } from '../json-shapes.ts'

/** Where a task's results belong on this machine, or undefined when it was not dispatched from here. */
export function returnsTo(
  context: Pick<Context, 'dispatched'>,
  host: string,
  task: Task,
): SyncTarget | undefined {
  if (task.repo.kind === 'path' && host === 'local') return undefined
  return context.dispatched.load(task.id)
}

/** `syncBack`, told in the form in which commands print it. */
export async function syncHere(sync: SyncBack): Promise<SyncOut> {
  return syncOut(await syncBack(sync), sync.target.repoPath)
}

/**
 * As `syncBack`, again over a new connection when one broke, and a failure is told in the result: it must never hide what
 * the result belongs to.
 */
export async function trySyncBack(
  { where, first }: { where: Where; first?: HostClient },
  call: Omit<SyncBack, 'client' | 'signal'>,
): Promise<SyncOut> {
  const { signal } = where
  const sync = (client: HostClient) => syncHere({ ...call, client, signal })
  try {
    if (first === undefined) return await again(where, sync)
    return await sync(first).catch((error: unknown) => {
      if (!isConnectionTrouble(error)) throw error
      return again(where, sync)
    })
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof AppError) return { kind: 'failed', code: error.code, message: error.message }
    return {
      kind: 'failed',
      code: 'internal',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

function syncOut(outcome: SyncOutcome, repo: string): SyncOut {
  const { kind, branch, commit } = outcome
  const local = 'local' in outcome ? outcome.local : 'from' in outcome ? outcome.from : undefined
  return {
    kind,
    branch,
    commit,
    repo,
    ...(local === undefined ? {} : { local }),
    ...('keptAt' in outcome ? { keptAt: outcome.keptAt } : {}),
    ...('worktreePath' in outcome ? { worktreePath: outcome.worktreePath } : {}),
  }
}

/** What a sync did, in one sentence. */
export function syncWords(sync: SyncOut): string {
  if (sync.kind === 'failed')
    return `The result could not be brought here: ${sync.message} (\`handoff pull\` tries again)`
  const short = sync.commit.slice(0, 10)
  switch (sync.kind) {
    case 'created':
      return `${sync.branch} is now in ${sync.repo} (${short})`
    case 'updated':
      return `${sync.branch} in ${sync.repo} moved forward to ${short}`
    case 'unchanged':
      return `${sync.branch} in ${sync.repo} is up to date (${short})`
    case 'local_ahead':
      return `${sync.branch} in ${sync.repo} already holds ${short} and has commits of its own; it was left alone`
    case 'diverged':
      return `${sync.branch} in ${sync.repo} has other commits and was kept; the result lies at ${sync.keptAt ?? short}`
    case 'checked_out_here':
      return `${sync.branch} is checked out in ${sync.worktreePath ?? sync.repo} and was not moved; the result lies at ${sync.keptAt ?? short}`
  }
}
