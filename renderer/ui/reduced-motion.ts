import { useSyncExternalStore } from 'react'
import { useSettings } from '../bridge/desk-store.ts'

const query = window.matchMedia('(prefers-reduced-motion: reduce)')

/** Whether the person wants little motion, by the desk's own setting or the system's. */
export function useReducedMotion(): boolean {
  const { reduceMotion } = useSettings()
  const bySystem = useSyncExternalStore(
    (watcher) => {
      query.addEventListener('change', watcher)
      return () => query.removeEventListener('change', watcher)
    },
    () => query.matches,
  )
  return reduceMotion || bySystem
}
