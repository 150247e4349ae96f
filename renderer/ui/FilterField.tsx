import { X } from 'lucide-react'
import { useRef } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import { IconButton } from './Button.tsx'
import styles from './FilterField.module.css'
import { Kbd } from './Kbd.tsx'
import { useShortcut } from './shortcuts.ts'

/** Words that a list is filtered by: `/` leads here, Escape empties it and then leaves it. */
export function FilterField({
  value,
  label,
  onChange,
  onClear,
  clearLabel,
}: {
  value: string
  label: string
  onChange: (value: string) => void
  /** Given while there is something to clear, be it these words or another filter. */
  onClear: (() => void) | undefined
  clearLabel: string
}) {
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  return (
    <div className={styles.search}>
      <input
        ref={field}
        className={styles.field}
        type="text"
        maxLength={textLimits.search}
        value={value}
        aria-label={label}
        placeholder={label}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (value === '') field.current?.blur()
          else onChange('')
        }}
      />
      {onClear === undefined ? (
        <span className={styles.key}>
          <Kbd keys="/" />
        </span>
      ) : (
        <IconButton label={clearLabel} className={styles.clear} onClick={onClear}>
          <X size={13} />
        </IconButton>
      )}
    </div>
  )
}
