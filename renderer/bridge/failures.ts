const listeners = new Set<(reason: unknown) => void>()

/** Tells the person about a failure that no open screen waits for, such as that of a command whose palette is closed. */
export function tellFailure(reason: unknown): void {
  for (const listener of listeners) listener(reason)
}

/** Hears such failures; answers how to stop. */
export function onFailure(listener: (reason: unknown) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
