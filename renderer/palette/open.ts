import { useSyncExternalStore } from 'react'
import { createListeners } from '../../shared/listeners.ts'

/** What lies over the window: at most one of these. */
export type Overlay = 'palette' | 'new_task' | 'keys' | 'add_host'

let overlay: Overlay | undefined
const watchers = createListeners()

/** Opens an overlay, or closes it. */
export function setOverlay(next: Overlay | undefined): void {
  overlay = next
  watchers.tell()
}

/** Opens the command palette. */
export function openPalette(): void {
  setOverlay('palette')
}

/** Opens the dialog for a new task. */
export function openNewTask(): void {
  setOverlay('new_task')
}

/** What is open. */
export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(watchers.add, () => overlay)
}
