import type { InputHTMLAttributes, Ref, SelectHTMLAttributes } from 'react'
import styles from './Fields.module.css'

const look = (className: string | undefined) => [styles.field, className].filter(Boolean).join(' ')

/** A field for one line. Where it stands decides how wide it is. */
export function TextField({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input {...rest} className={look(className)} />
}

/** A choice among a few, drawn like the other fields. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...rest} className={`${look(className)} ${styles.select}`} />
}
