import type { ComponentProps } from 'react'
import styles from './Pane.module.css'

const classes = (...names: (string | undefined)[]) => names.filter(Boolean).join(' ')

/** A part of a screen with a bar that stays and a body that scrolls. */
export function Pane({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={classes(styles.pane, className)} />
}

/** The bar of a pane: its heading, where that belongs, and what can be done with all of it. The caller says its padding. */
export function PaneBar({ className, ...rest }: ComponentProps<'header'>) {
  return <header {...rest} className={classes(styles.bar, className)} />
}

/** Where the heading of a bar belongs, in less important words that give way first. The caller says how it grows. */
export function Crumb({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={classes(styles.crumb, className)} />
}
