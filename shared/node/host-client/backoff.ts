/** How long to wait before trying again. */
export interface BackoffLimits {
  firstMs: number
  maxMs: number
}

/** 0.2 s, doubling to 30 s. */
export const defaultBackoff: BackoffLimits = { firstMs: 200, maxMs: 30_000 }

/**
 * The wait before try number `attempt` (from 0): exponential, spread over its upper half, so that the clients of a host
 * that comes back do not all arrive at once. Whole milliseconds.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: BackoffLimits, random: () => number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30))
  return Math.round(full / 2 + (full / 2) * random())
}
