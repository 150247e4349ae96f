import { AppError } from '../../../shared/errors.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import { isConnected, isConnectionTrouble } from '../tasks/ask-host.ts'

const AT_ONCE = 4
const TIMEOUT_MS = 30_000

/** Asks hosts for whole tasks. */
export interface TaskFetcher {
  /** Asks soon; a task that is asked for already is not asked for twice. */
  want(host: string, taskId: string): void
  dispose(): void
}

/**
 * Fetches tasks that the cache has only heard of: at most four at once per host. What cannot be had because the host went away
 * is dropped; it is found again when the host is back.
 */
export function createTaskFetcher({
  cache,
  hosts,
  onBug,
}: {
  cache: Pick<Cache, 'put'>
  hosts: HostService
  onBug: (error: unknown) => void
}): TaskFetcher {
  const waiting = new Map<string, Set<string>>()
  const running = new Map<string, Set<string>>()
  let isDisposed = false

  const setOf = (map: Map<string, Set<string>>, host: string): Set<string> => {
    const known = map.get(host) ?? new Set<string>()
    map.set(host, known)
    return known
  }

  async function fetchOne(host: string, taskId: string): Promise<void> {
    try {
      const found = await hosts.call(host)(
        'task.get',
        { task: taskId, historyLimit: 0 },
        { timeoutMs: TIMEOUT_MS },
      )
      if (!isDisposed) cache.put(host, found.task, found.tickets)
    } catch (error) {
      const gone = error instanceof AppError && (error.code === 'task_not_found' || error.code === 'timeout')
      if (!gone && !isConnectionTrouble(error) && !isDisposed) onBug(error)
    }
  }

  function pump(host: string): void {
    const queue = setOf(waiting, host)
    const now = setOf(running, host)
    if (!isConnected(hosts, host)) queue.clear()
    for (const taskId of queue) {
      if (now.size >= AT_ONCE || isDisposed) return
      queue.delete(taskId)
      now.add(taskId)
      void fetchOne(host, taskId).finally(() => {
        now.delete(taskId)
        pump(host)
      })
    }
  }

  return {
    want(host, taskId) {
      if (setOf(running, host).has(taskId)) return
      setOf(waiting, host).add(taskId)
      pump(host)
    },
    dispose() {
      isDisposed = true
      waiting.clear()
    },
  }
}
