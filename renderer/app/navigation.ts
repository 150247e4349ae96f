import { useSyncExternalStore } from 'react'
import { createListeners } from '../../shared/listeners.ts'

const watchers = createListeners()
const START = '/inbox'

/** Where the window is: the path behind the `#`, always beginning with `/`. */
function read(): string {
  const path = location.hash.slice(1)
  return path.startsWith('/') ? path : START
}

window.addEventListener('hashchange', () => {
  watchers.tell()
})

/** Goes to a route. `replace` leaves no step in the history, for moves that a person would not call a step. */
export function navigate(route: string, { replace = false }: { replace?: boolean } = {}): void {
  if (route === read()) return
  if (!replace) {
    location.hash = route
    return
  }
  history.replaceState(null, '', `#${route}`)
  watchers.tell()
}

/** The present route. */
export function currentRoute(): string {
  return read()
}

/** The present route, followed. */
export function useRoute(): string {
  return useSyncExternalStore(watchers.add, read)
}
