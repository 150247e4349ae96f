import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'

const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
/** The store prunes in small bites; between two of them others get their turn. */
const NEXT_BITE_MS = 250
/** Every task keeps its newest events, so that "show" can always tell how it ended. */
const KEEP_PER_TASK = 50

interface Needs {
  store: Store
  log: Logger
  now: () => number
  policy: { keepEventsMs: number; keepEventsBytes: number }
}

/** Clears away old events of ended tasks: once soon after the start, then once a day. */
export function createRetention({ store, log, now, policy }: Needs) {
  let nextBite: NodeJS.Timeout | undefined

  function prune(): void {
    try {
      const { removed, more } = store.events.prune({
        olderThan: now() - policy.keepEventsMs,
        maxBytes: policy.keepEventsBytes,
        keepPerTask: KEEP_PER_TASK,
      })
      store.transaction(() => store.requests.prune(now() - 7 * DAY_MS))
      if (removed > 0) log.info({ removed }, 'old events were cleared away')
      clearTimeout(nextBite)
      if (!more) return
      nextBite = setTimeout(prune, NEXT_BITE_MS).unref()
    } catch (error) {
      log.warn({ err: error }, 'old events could not be cleared away; the next attempt is tomorrow')
    }
  }
  const first = setTimeout(prune, HOUR_MS)
  const daily = setInterval(prune, DAY_MS)
  first.unref()
  daily.unref()
  return {
    dispose(): void {
      clearTimeout(first)
      clearInterval(daily)
      clearTimeout(nextBite)
    },
  }
}
