import { useSyncExternalStore } from 'react'

let sentence = ''
let turn = 0
const watchers = new Set<() => void>()

/** Tells a screen reader what has changed, when it has finished speaking. */
export function announce(text: string): void {
  // The same sentence twice is a change too: a no-break space makes it another text.
  turn += 1
  sentence = turn % 2 === 0 ? text : `${text}\u00a0`
  for (const watcher of watchers) watcher()
}

/** Where announcements are read from; once per screen. */
export function Announcer() {
  const text = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => sentence,
  )
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  )
}
