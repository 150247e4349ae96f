import { createListeners } from '../../shared/listeners.ts'

const failures = createListeners<[reason: unknown]>()

/** Tells the person about a failure that no open screen waits for, such as that of a command whose palette is closed. */
export function tellFailure(reason: unknown): void {
  failures.tell(reason)
}

/** Hears such failures; answers how to stop. */
export function onFailure(listener: (reason: unknown) => void): () => void {
  return failures.add(listener)
}
