import { useSyncExternalStore } from 'react'

/** What lies over the window: at most one of these. */
export type Overlay = 'palette' | 'new_task' | 'keys' | 'add_host'

let overlay: Overlay | undefined
const watchers = new Set<() => void>()

/** Opens an overlay, or closes it. */
export function setOverlay(next: Overlay | undefined): void {
  overlay = next
  for (const watcher of watchers) watcher()
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
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => overlay,
  )
}
