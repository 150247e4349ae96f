/** Who wants to hear something. */
export interface Listeners<A extends unknown[]> {
  /** Answers how to stop. */
  add: (listener: (...args: A) => unknown) => () => void
  tell: (...args: A) => void
  clear: () => void
}

/** A set of listeners; whoever is added or removed while something is told is heard from the next time on. */
export function createListeners<A extends unknown[] = []>(): Listeners<A> {
  const listeners = new Set<(...args: A) => unknown>()
  return {
    add(listener) {
      // A wrapper, so that the same function may be added twice.
      const mine = (...args: A) => listener(...args)
      listeners.add(mine)
      return () => void listeners.delete(mine)
    },
    tell(...args) {
      for (const listener of [...listeners]) listener(...args)
    },
    clear: () => listeners.clear(),
  }
}
