/** Repeatable random numbers (mulberry32): a failing test prints its seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    /** A whole number from 0 to `limit` - 1. */
    below: (limit: number): number => Math.floor(next() * limit),
    pick<T>(list: readonly T[]): T {
      return list[Math.floor(next() * list.length)] as T
    },
  }
}

/** The source of chance of one test. */
export type Random = ReturnType<typeof createRandom>
