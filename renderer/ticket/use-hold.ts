import { useEffect, useMemo, useRef, useState } from 'react'
import { isMac } from '../ui/keys.ts'
import { createHold, type Hold, type HoldState } from './hold.ts'

/** How soon after the last repeat a key still counts as held. */
const REPEAT_MS = 250

/** A hold for a button and for keys. `keyDown` is told every key press, repeats too. */
export function useHold(onDone: () => void): {
  state: HoldState
  hold: Hold
  keyDown(event: { repeat: boolean }): void
} {
  const [state, setState] = useState<HoldState>('idle')
  const done = useRef(onDone)
  done.current = onDone
  const byKey = useRef(false)
  const lastRepeat = useRef(0)
  const hold = useMemo(
    () =>
      createHold({
        after(delayMs, run) {
          const timer = setTimeout(run, delayMs)
          return () => clearTimeout(timer)
        },
        onState: setState,
        onDone: () => done.current(),
        // macOS tells of no key that goes up while ⌘ is down; only the repeats show that it is still held.
        isHeld: () => !byKey.current || !isMac || performance.now() - lastRepeat.current < REPEAT_MS,
      }),
    [],
  )
  useEffect(() => {
    const release = () => {
      byKey.current = false
      hold.release()
    }
    const onKeyUp = () => byKey.current && release()
    window.addEventListener('keyup', onKeyUp, true)
    window.addEventListener('blur', release)
    document.addEventListener('visibilitychange', release)
    return () => {
      window.removeEventListener('keyup', onKeyUp, true)
      window.removeEventListener('blur', release)
      document.removeEventListener('visibilitychange', release)
      hold.dispose()
    }
  }, [hold])
  return {
    state,
    hold,
    keyDown({ repeat }) {
      if (repeat) {
        lastRepeat.current = performance.now()
        return
      }
      if (state === 'armed') return hold.click()
      byKey.current = true
      hold.press()
    },
  }
}
