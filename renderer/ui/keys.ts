/** Whether this is a Mac, where ⌘ is the key for commands. */
export const isMac = /mac/i.test(navigator.platform)

const SIGNS: Record<string, [mac: string, other: string]> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  alt: ['⌥', 'Alt'],
  enter: ['↩', 'Enter'],
  backspace: ['⌫', '⌫'],
  escape: ['esc', 'Esc'],
  up: ['↑', '↑'],
  down: ['↓', '↓'],
  pageup: ['⇞', 'PgUp'],
  pagedown: ['⇟', 'PgDn'],
}

/** Keys as people read them: `mod+enter` is `⌘↩` on a Mac and `Ctrl+Enter` elsewhere. */
export function keyLabel(keys: string): string {
  const signs = keys.split('+').map((key) => SIGNS[key]?.[isMac ? 0 : 1] ?? key.toUpperCase())
  return signs.join(isMac ? '' : '+')
}

/** The keys of an event in the form `mod+shift+k`; the order is mod, alt, shift, key. */
export function keysOf(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase().replace(/^arrow/, '')
  const mod = isMac ? event.metaKey : event.ctrlKey
  // Of a sign, Shift has chosen which one it is; of a letter that comes with Ctrl it is a key of its own.
  const shift = event.shiftKey && (key.length > 1 || (mod && /^[a-z]$/.test(key)))
  return [mod ? 'mod' : '', event.altKey ? 'alt' : '', shift ? 'shift' : '', key].filter(Boolean).join('+')
}

const NOT_TYPED_INTO = new Set(['radio', 'checkbox', 'button', 'submit', 'reset'])

/** Whether a key press belongs to something that is being typed into; into a choice or a button nothing is. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (event.isComposing) return true
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type)
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
}
