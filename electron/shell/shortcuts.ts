import { globalShortcut } from 'electron'

/**
 * One shortcut that works while other programs have the keyboard. Setting another frees the one before; an empty text means
 * none. `ok: false`: another program has it, or it is none that the system understands; then there is no shortcut.
 */
export function createGlobalShortcut(onPress: () => void): (accelerator: string) => { ok: boolean } {
  let current = ''
  return (accelerator) => {
    if (accelerator === current) return { ok: true }
    if (current !== '') globalShortcut.unregister(current)
    current = ''
    if (accelerator === '') return { ok: true }
    const ok = register(accelerator, onPress)
    if (ok) current = accelerator
    return { ok }
  }
}

function register(accelerator: string, onPress: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, onPress)
  } catch (error) {
    // An accelerator that cannot be parsed is thrown as a TypeError.
    if (error instanceof TypeError) return false
    throw error
  }
}
