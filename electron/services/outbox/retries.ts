import { backoffMs, type BackoffLimits } from '../../../shared/node/host-client/backoff.ts'

/** What retries need. */
export interface RetryNeeds {
  limits: BackoffLimits
  /** From 0 to 1; spreads the retries. */
  random: () => number
  /** Its time has come. */
  onTime: (host: string) => void
}

/** One retry a host, later each time until it is forgotten. */
export function createRetries({ limits, random, onTime }: RetryNeeds) {
  const retries = new Map<string, { timer: NodeJS.Timeout; count: number }>()
  return {
    has: (host: string) => retries.has(host),
    later(host: string): void {
      const count = retries.get(host)?.count ?? 0
      clearTimeout(retries.get(host)?.timer)
      const timer = setTimeout(() => onTime(host), backoffMs(count, limits, random))
      timer.unref()
      retries.set(host, { timer, count: count + 1 })
    },
    forget(host: string): void {
      clearTimeout(retries.get(host)?.timer)
      retries.delete(host)
    },
    /** No retry comes any more. */
    stop(): void {
      for (const { timer } of retries.values()) clearTimeout(timer)
    },
  }
}
