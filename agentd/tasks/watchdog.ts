import type { TaskState } from '../../shared/domain/task.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { FactLog } from './fact-log.ts'

/** Only an executor that should be working can be stalled; a task that waits for a person is not. */
const watched: readonly TaskState[] = ['submitted', 'running']
/** setTimeout cannot wait longer than this; a longer wait is slept in pieces. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1
/** A full disk or a locked database passes. */
const AFTER_FAILURE_MS = 60_000

/**
 * Marks tasks whose executor was silent for `silentMs`. One timer for all tasks, set to the next moment at which one could
 * stall, so that an idle agentd does not wake up.
 */
export function createWatchdog({
  store,
  facts,
  log,
  now,
  silentMs,
}: {
  store: Store
  facts: FactLog
  log: Logger
  now: () => number
  silentMs: number
}) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity

  function check(): void {
    try {
      sleepUntil(markSilent())
    } catch (error) {
      log.error({ err: error }, 'silent tasks could not be marked')
      sleepUntil(now() + AFTER_FAILURE_MS)
    }
  }

  /** Marks who is silent; answers when the next one could be. */
  function markSilent(): number {
    let next = Infinity
    for (const task of store.tasks.open()) {
      if (!watched.includes(task.state) || task.stalledSince !== undefined) continue
      const silent = now() - task.updatedAt
      // A clock that was set back must not count as silence, nor hide it for ever.
      if (silent >= silentMs) facts.apply(task.id, { type: 'stalled', silentMs: silent })
      else next = Math.min(next, now() + silentMs - Math.max(0, silent))
    }
    return next
  }

  function sleepUntil(at: number): void {
    clearTimeout(timer)
    dueAt = at
    if (at === Infinity) return
    timer = setTimeout(check, Math.min(LONGEST_SLEEP_MS, Math.max(10, at - now())))
    timer.unref()
  }

  // A task that shows life can stall no earlier than `silentMs` from now; a timer that is set earlier looks again.
  const stopListening = facts.onCommitted(() => {
    if (dueAt === Infinity) sleepUntil(now() + silentMs)
  })

  return {
    check,
    dispose(): void {
      stopListening()
      clearTimeout(timer)
    },
  }
}
