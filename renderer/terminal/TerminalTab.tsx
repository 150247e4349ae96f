import { X } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { useText } from '../i18n/i18n.ts'
import { focusedBy } from './move-focus.ts'
import styles from './terminal.module.css'

/** One tab of a row. Arrows move between tabs, Enter shows one, Delete closes it where it can be closed. */
export function TerminalTab({
  row,
  name,
  panel,
  isCurrent,
  hasNews,
  onShow,
  onClose,
}: {
  row: RefObject<HTMLElement | null>
  name: string
  /** The id of what it shows. */
  panel: string
  isCurrent: boolean
  hasNews: boolean
  onShow: () => void
  onClose: (() => void) | undefined
}) {
  const { t } = useText()
  const onKeyDown = (event: KeyboardEvent) => {
    const next = focusedBy(event.key, row.current, event.currentTarget)
    if (event.key === 'Delete' && onClose !== undefined) onClose()
    else if (next !== undefined) next.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <button
      type="button"
      role="tab"
      aria-selected={isCurrent}
      aria-controls={panel}
      aria-keyshortcuts={onClose === undefined ? undefined : 'Delete'}
      tabIndex={isCurrent ? 0 : -1}
      className={styles.tab}
      title={name}
      onClick={() => !isCurrent && onShow()}
      onAuxClick={(event) => event.button === 1 && onClose?.()}
      onKeyDown={onKeyDown}
    >
      <span className={styles.tabName}>{name}</span>
      {hasNews ? (
        <span className={styles.news}>
          <span className="visually-hidden">{t('terminal.tabs.news')}</span>
        </span>
      ) : null}
      {onClose === undefined ? null : (
        // For the mouse; the keyboard has Delete.
        <span
          className={styles.tabClose}
          aria-hidden="true"
          data-close
          onClick={(event) => {
            event.stopPropagation()
            onClose()
          }}
        >
          <X size={12} />
        </span>
      )}
    </button>
  )
}
