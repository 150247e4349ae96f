import type { ReactNode } from 'react'
import styles from './Tag.module.css'

/** One or two words about the state of something. The words say it; the colour only helps. */
export function Tag({
  tone = 'neutral',
  children,
  title,
}: {
  tone?: 'neutral' | 'danger' | 'warn' | 'ok' | 'accent'
  children: ReactNode
  title?: string
}) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`} title={title}>
      {children}
    </span>
  )
}

/** A coloured point before a name; `label` says what it means. */
export function Dot({ tone, label }: { tone: 'ok' | 'wait' | 'off' | 'bad'; label?: string }) {
  return (
    <span
      className={`${styles.dot} ${styles[tone]}`}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      title={label}
    />
  )
}
