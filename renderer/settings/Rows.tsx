import { useEffect, useId, useState, type ReactNode } from 'react'
import { Select, TextField } from '../ui/Fields.tsx'
import styles from './Settings.module.css'

/** Settings that belong together. */
export function Group({ children }: { children: ReactNode }) {
  return <div className={styles.group}>{children}</div>
}

/** A label and, beside it, whatever chooses the value. */
export function Row({
  label,
  note,
  children,
}: {
  label: string
  note?: string
  children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className={styles.row}>
      <div className={styles.label}>
        <label htmlFor={id}>{label}</label>
        {note === undefined || note === '' ? null : <small>{note}</small>}
      </div>
      {children(id)}
    </div>
  )
}

/** On or off. */
export function Toggle({
  label,
  note,
  value,
  disabled = false,
  onChange,
}: {
  label: string
  note?: string
  value: boolean
  disabled?: boolean
  onChange: (value: boolean) => void
}) {
  return (
    <Row label={label} {...(note === undefined ? {} : { note })}>
      {(id) => (
        <input
          id={id}
          type="checkbox"
          checked={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
      )}
    </Row>
  )
}

/** One of a few. */
export function Choice<T extends string>({
  label,
  note,
  value,
  options,
  onChange,
}: {
  label: string
  note?: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChange: (value: T) => void
}) {
  return (
    <Row label={label} {...(note === undefined ? {} : { note })}>
      {(id) => (
        <Select id={id} value={value} onChange={(event) => onChange(event.target.value as T)}>
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Row>
  )
}

/** Text that counts when the field is left or Enter is pressed. */
export function TextRow({
  label,
  note,
  value,
  type = 'text',
  placeholder,
  range,
  onChange,
}: {
  label: string
  note?: string
  value: string
  type?: 'text' | 'number' | 'time'
  placeholder?: string
  range?: { min: number; max: number; step?: number }
  onChange: (value: string) => void
}) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const commit = () => {
    if (text !== value) onChange(text)
  }
  return (
    <Row label={label} {...(note === undefined ? {} : { note })}>
      {(id) => (
        <TextField
          id={id}
          type={type}
          value={text}
          placeholder={placeholder}
          spellCheck={false}
          {...range}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      )}
    </Row>
  )
}
