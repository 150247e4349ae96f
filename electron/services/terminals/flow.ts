/** Above so many characters that were not acknowledged a pty is paused, … */
export const PAUSE_ABOVE_CHARS = 100_000
/** … and below so many it goes on. Characters are UTF-16 code units. */
export const RESUME_BELOW_CHARS = 5_000

/**
 * Counts what a window was sent and has not drawn. Each call answers what is to be done with the pty, if anything. So many as
 * `aheadChars` the window keeps ready for itself; they count as acknowledged, or it would have nothing to draw while the
 * services hear of it and send more.
 */
export function createFlow(aheadChars = 0) {
  let unackedChars = 0
  let isPaused = false
  return {
    isPaused: () => isPaused,
    unackedChars: () => Math.max(0, unackedChars - aheadChars),
    sent(chars: number): 'pause' | undefined {
      unackedChars += chars
      if (isPaused || unackedChars - aheadChars <= PAUSE_ABOVE_CHARS) return undefined
      isPaused = true
      return 'pause'
    },
    /** A window that says more than it got is not believed. */
    acked(chars: number): 'resume' | undefined {
      unackedChars = Math.max(0, unackedChars - chars)
      if (!isPaused || unackedChars - aheadChars >= RESUME_BELOW_CHARS) return undefined
      isPaused = false
      return 'resume'
    },
  }
}
