/** How often the badge may be worked out anew, at most: this much rest after each time, and longer than the work took. */
const REST_MS = 40
const REST_FACTOR = 4
/** A rule or a reviewer may answer at once; then nobody needs to hear of it. */
export const SETTLE_MS = 300
/** In an endless stream of changes people are told all the same, after so many times that. */
const SETTLE_AT_MOST = 3
/** A timer of Node takes no longer time than this. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Decides when to look. `look('badge')` comes at once after a rest, and again after a rest while changes go on;
 * `look('all')` comes when changes have settled. `wakeAt` asks for a look at a time.
 */
export function createLooks(look: (depth: 'badge' | 'all') => void, { settleMs }: { settleMs: number }) {
  let resting: NodeJS.Timeout | undefined
  let settling: NodeJS.Timeout | undefined
  let waking: NodeJS.Timeout | undefined
  let isStale = false
  let isDisposed = false
  let firstChangeAt: number | undefined

  function lookAtBadge() {
    isStale = false
    const startedAt = performance.now()
    look('badge')
    if (isDisposed) return
    const tookMs = performance.now() - startedAt
    resting = setTimeout(
      () => {
        resting = undefined
        if (isStale) lookAtBadge()
      },
      Math.max(REST_MS, tookMs * REST_FACTOR),
    )
  }

  function settle() {
    settling = undefined
    firstChangeAt = undefined
    look('all')
  }

  return {
    changed() {
      if (isDisposed) return
      if (resting === undefined) lookAtBadge()
      else isStale = true
      firstChangeAt ??= performance.now()
      const leftMs = SETTLE_AT_MOST * settleMs - (performance.now() - firstChangeAt)
      clearTimeout(settling)
      settling = setTimeout(settle, Math.max(0, Math.min(settleMs, leftMs)))
    },
    wakeIn(delayMs: number | undefined) {
      clearTimeout(waking)
      if (delayMs === undefined || isDisposed) return
      waking = setTimeout(() => look('all'), Math.min(Math.max(0, delayMs), MAX_DELAY_MS))
      // A look that is planned keeps nobody from leaving.
      waking.unref()
    },
    dispose() {
      isDisposed = true
      for (const timer of [resting, settling, waking]) clearTimeout(timer)
    },
  }
}
