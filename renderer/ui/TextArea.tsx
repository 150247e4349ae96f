import type { Ref, TextareaHTMLAttributes } from 'react'
import styles from './TextArea.module.css'

/** A field for more than a line; it grows with what is written, to a limit. */
export function TextArea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea {...rest} className={[styles.area, className].filter(Boolean).join(' ')} />
}
