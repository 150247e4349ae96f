import { keyLabel } from './keys.ts'
import styles from './Kbd.module.css'

/** Keys that do what stands beside them, as `mod+enter`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className={styles.kbd} aria-hidden="true">
      {keyLabel(keys)}
    </kbd>
  )
}
