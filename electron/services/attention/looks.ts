/** How often the badge may be worked out anew, at most: this much rest after each time, and longer than the work took. */
const REST_MS = 40
const REST_FACTOR = 4
/** A rule or a reviewer may answer at once; then nobody needs to hear of it. */
export const SETTLE_MS = 300
/** In an endless stream of changes people are told all the same, after so many times that. */
const SETTLE_AT_MOST = 3
/** A planned look comes at least this often: the clock may have been set, and a timer does not run while the machine sleeps. */
const LOOK_EVERY_MS = 60_000

/**
 * Decides when to look. `look('badge')` comes at once after a rest, and again after a rest while changes go on;
 * `look('all')` comes when changes have settled. `wakeIn` asks for a look after a time, or earlier.
 */
export function createLooks(
  look: (depth: 'badge' | 'all') => void,
  { settleMs, lookEveryMs = LOOK_EVERY_MS }: { settleMs: number; lookEveryMs?: number },
) {
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

  function planSettle() {
    firstChangeAt ??= performance.now()
    const leftMs = SETTLE_AT_MOST * settleMs - (performance.now() - firstChangeAt)
    clearTimeout(settling)
    settling = setTimeout(settle, Math.max(0, Math.min(settleMs, leftMs)))
  }

  return {
    /** Plans the first look; the start of the desk and its first window go before. */
    begin: planSettle,
    changed() {
      if (isDisposed) return
      if (resting === undefined) lookAtBadge()
      else isStale = true
      planSettle()
    },
    wakeIn(delayMs: number | undefined) {
      clearTimeout(waking)
      if (delayMs === undefined || isDisposed) return
      waking = setTimeout(() => look('all'), Math.min(Math.max(0, delayMs), lookEveryMs))
      // A look that is planned keeps nobody from leaving.
      waking.unref()
    },
    dispose() {
      isDisposed = true
      for (const timer of [resting, settling, waking]) clearTimeout(timer)
    },
  }
}
