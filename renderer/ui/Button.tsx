import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './Button.module.css'
import { Kbd } from './Kbd.tsx'

/** A button. `primary` is the one thing to do here; `danger` cannot be undone or stops something. Never submits a form by accident. */
export function Button({
  look = 'plain',
  size = 'normal',
  busy = false,
  shortcut,
  icon,
  children,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: 'plain' | 'primary' | 'danger' | 'quiet'
  size?: 'normal' | 'small'
  /** The action is under way: not pressable, and said so. */
  busy?: boolean
  /** Keys that do the same, as `mod+enter`. Shown, not bound. */
  shortcut?: string
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}) {
  const classes = [styles.button, styles[look], styles[size], className].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      disabled={rest.disabled === true || busy}
      aria-busy={busy}
    >
      {icon}
      {children}
      {shortcut === undefined ? null : <Kbd keys={shortcut} />}
    </button>
  )
}

/** A button that shows only a picture; `label` is its name. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; ref?: Ref<HTMLButtonElement> }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={[styles.icon, className].filter(Boolean).join(' ')}
    >
      {children}
    </button>
  )
}
