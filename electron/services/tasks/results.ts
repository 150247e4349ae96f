import { setTimeout as delay } from 'node:timers/promises'
import type { Task } from '../../../shared/domain/task.ts'
import { AppError } from '../../../shared/errors.ts'
import type { createDispatchedStore } from '../../../shared/node/hosts/dispatched.ts'
import { syncBack } from '../../../shared/node/hosts/sync-back.ts'
import type { WireEvent } from '../../../shared/protocol/records.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import { isConnected, isConnectionTrouble } from './ask-host.ts'
import type { Brought } from './brought.ts'

/** Something a person would have to know: a result could not be brought here. */
export interface SyncFailure {
  host: string
  taskId: string
  error: AppError
}

/** Where a result belongs. */
interface Target {
  repoPath: string
  branch: string | undefined
}

interface Needs {
  cache: Pick<Cache, 'task'>
  hosts: HostService
  dispatched: ReturnType<typeof createDispatchedStore>
  brought: Brought
  onFailure: (failure: SyncFailure) => void
  onBug: (error: unknown) => void
}

/** Brings results of tasks on other hosts back into the repositories that they were dispatched from. */
export interface Results {
  /** Events of a host that are kept already. */
  heard(host: string, events: readonly WireEvent[]): void
  /** A task was dispatched from here; its results are waited for from now on. */
  expect(host: string, task: Task): void
  /** A host is back: what was missed meanwhile is brought. */
  hostIsLive(host: string): void
  /** Resolves when nothing is under way any more; new work is refused from now on. */
  dispose(): Promise<void>
}

const ATTEMPTS = 3
const AGAIN_AFTER_MS = 700

const ENDS_ROUND: ReadonlySet<string> = new Set(['completed', 'turn_failed', 'done'])

/**
 * After each finished round the branch of a task that was dispatched from this machine to another host is fetched into its
 * repository: fetch only, one at a time per repository. What fails for want of a connection is tried again when the host is back.
 */
export function createResults({ cache, hosts, dispatched, brought, onFailure, onBug }: Needs): Results {
  const ended = new AbortController()
  const queues = new Map<string, Promise<void>>()
  const queued = new Set<string>()

  function enqueue(host: string, taskId: string): void {
    if (host === 'local' || ended.signal.aborted || queued.has(taskId)) return
    const record = dispatched.load(taskId)
    if (record === undefined || record.host !== host) return
    queued.add(taskId)
    const before = queues.get(record.repoPath) ?? Promise.resolve()
    const next = before
      .then(() => {
        queued.delete(taskId)
        return bring(host, taskId, { repoPath: record.repoPath, branch: record.branch })
      })
      .catch(onBug)
    queues.set(record.repoPath, next)
    void next.then(() => {
      if (queues.get(record.repoPath) === next) queues.delete(record.repoPath)
    })
  }

  async function bring(host: string, taskId: string, target: Target): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      if (ended.signal.aborted || !isConnected(hosts, host)) return
      const task = cache.task(host, taskId)
      if (task === undefined || (task.head !== undefined && brought.get(taskId) === task.head)) return
      const error = await bringOnce(host, task, target)
      if (error === undefined || ended.signal.aborted || isConnectionTrouble(error)) return
      if (!error.code.startsWith('git.') || attempt >= ATTEMPTS) return onFailure({ host, taskId, error })
      // Another desk or the command line may bring the same branch just now, and git's locks do not wait.
      // When it ends meanwhile, the beginning of the loop sees it.
      await delay(AGAIN_AFTER_MS * attempt, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  }

  async function bringOnce(host: string, task: Task, target: Target): Promise<AppError | undefined> {
    const { signal } = ended
    try {
      const outcome = await syncBack({ client: { call: hosts.call(host) }, task, target, signal })
      brought.set(task.id, outcome.commit)
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }

  return {
    heard(host, events) {
      for (const { type, taskId } of events) if (ENDS_ROUND.has(type)) enqueue(host, taskId)
    },
    expect(host, task) {
      if (host !== 'local') brought.set(task.id, null)
    },
    hostIsLive(host) {
      if (host === 'local') return
      for (const taskId of brought.taskIds()) {
        const task = cache.task(host, taskId)
        if (task?.head !== undefined && brought.get(taskId) !== task.head) enqueue(host, taskId)
      }
    },
    async dispose() {
      ended.abort()
      await Promise.all(queues.values())
    },
  }
}
