import { keyLabel } from './keys.ts'
import styles from './Kbd.module.css'

/** Keys that do what stands beside them, as `mod+enter`. `isCap` draws them as keys of a keyboard. */
export function Kbd({ keys, isCap = false }: { keys: string; isCap?: boolean }) {
  return (
    <kbd className={`${styles.kbd} ${isCap ? styles.cap : ''}`} aria-hidden="true">
      {keyLabel(keys)}
    </kbd>
  )
}
