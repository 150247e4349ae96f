import { useEffect, useRef } from 'react'
import { isTyping, keysOf } from './keys.ts'

interface Binding {
  keys: string
  run: (event: KeyboardEvent) => void
  whileTyping: boolean
}

// The newest binding of a key wins, so a dialog can take one over while it is open.
const bindings: Binding[] = []

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented) return
  const keys = keysOf(event)
  const typing = isTyping(event)
  const binding = bindings.findLast((one) => one.keys === keys && (one.whileTyping || !typing))
  if (binding === undefined) return
  event.preventDefault()
  binding.run(event)
})

/** Binds keys (`mod+k`, `j`, `?`) while the component is shown; `run` undefined binds nothing. */
export function useShortcut(
  keys: string,
  run: ((event: KeyboardEvent) => void) | undefined,
  { whileTyping = keys.startsWith('mod+') }: { whileTyping?: boolean } = {},
): void {
  const latest = useRef(run)
  latest.current = run
  const isBound = run !== undefined
  useEffect(() => {
    if (!isBound) return
    const binding = { keys, run: (event: KeyboardEvent) => latest.current?.(event), whileTyping }
    bindings.push(binding)
    return () => void bindings.splice(bindings.indexOf(binding), 1)
  }, [keys, isBound, whileTyping])
}
