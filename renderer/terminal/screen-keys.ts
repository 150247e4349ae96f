import { isMac } from '../ui/keys.ts'

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** What a key does in the terminal itself, whoever has the keyboard. */
export type ScreenKey = 'search' | 'copy' | 'keyboard' | 'paste' | 'tab' | 'shell'

/**
 * The keys that never reach the program: ⌘ on a Mac, Ctrl+Shift elsewhere, since plain Ctrl belongs to the program.
 * Ctrl+Shift+Enter is the same everywhere.
 */
export function screenKey(event: Keys, mac: boolean = isMac): ScreenKey | undefined {
  if (event.altKey) return undefined
  const isOurModifier = mac
    ? event.metaKey && !event.ctrlKey
    : event.ctrlKey && event.shiftKey && !event.metaKey
  if (event.key === 'Enter' && event.shiftKey && (event.ctrlKey || (mac && event.metaKey))) return 'keyboard'
  if (!isOurModifier) return undefined
  if (event.shiftKey && (event.key === 'PageDown' || event.key === 'PageUp')) return 'tab'
  const key = event.key.toLowerCase()
  if (key === 'f') return 'search'
  if (key === 'c') return 'copy'
  if (key === 'v') return 'paste'
  if (key === 'l' && event.shiftKey) return 'shell'
  return undefined
}

/** Whether xterm.js must leave a key alone, so that the window hears it. */
export function isOurs(event: Keys): boolean {
  return screenKey(event) !== undefined || (isMac && event.metaKey)
}
