import { useSyncExternalStore } from 'react'
import { createListeners } from '../../shared/listeners.ts'

let sentence = ''
let turn = 0
const watchers = createListeners()

/** Tells a screen reader what has changed, when it has finished speaking. */
export function announce(text: string): void {
  // The same sentence twice is a change too: a no-break space makes it another text.
  turn += 1
  sentence = turn % 2 === 0 ? text : `${text}\u00a0`
  watchers.tell()
}

/** Where announcements are read from; once per screen. */
export function Announcer() {
  const text = useSyncExternalStore(watchers.add, () => sentence)
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  )
}
