/** Lets `burst` calls through at once and `perSecond` after that; the rest is to be left out. */
export function createThrottle({
  burst,
  perSecond,
  now,
}: {
  burst: number
  perSecond: number
  now: () => number
}) {
  let tokens = burst
  let last = now()
  return {
    allows(): boolean {
      const at = now()
      tokens = Math.min(burst, tokens + ((at - last) / 1_000) * perSecond)
      last = at
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
