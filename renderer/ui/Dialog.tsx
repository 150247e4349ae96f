import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState, type ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from './Button.tsx'
import { useShortcut } from './shortcuts.ts'
import styles from './Dialog.module.css'
import { RunningCalls } from './RunningCalls.tsx'

/** A window inside the window. Escape and a click beside it close it; the focus stays inside and returns afterwards. */
export function Dialog({
  title,
  note,
  onClose,
  children,
  footer,
  width = 640,
}: {
  title: string
  note?: ReactNode
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** In CSS pixels; a small window makes it narrower. */
  width?: number
}) {
  const { t } = useText()
  const content = useRef<HTMLDivElement>(null)
  // Asked before a field in the window takes the focus, which Radix would then remember as the place to return to.
  const [opener] = useState(() => document.activeElement)
  // A second window over this one would take the place of what was begun here.
  useShortcut('mod+k', () => undefined)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          className={styles.dialog}
          style={{ width }}
          aria-describedby={undefined}
          ref={content}
          onOpenAutoFocus={(event) => {
            // A field that asks for the focus has it already; otherwise no button is the default by accident.
            event.preventDefault()
            if (content.current?.contains(document.activeElement) !== true) content.current?.focus()
          }}
          onCloseAutoFocus={(event) => {
            if (!(opener instanceof HTMLElement) || opener === document.body || !opener.isConnected) return
            event.preventDefault()
            opener.focus({ preventScroll: true })
          }}
        >
          <header className={styles.bar}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            {note === undefined ? null : <span className={styles.note}>{note}</span>}
            <span className={styles.space} />
            <Radix.Close asChild>
              <IconButton label={t('common.close')}>
                <X size={15} />
              </IconButton>
            </Radix.Close>
          </header>
          <div className={`${styles.body} shaded`}>{children}</div>
          <RunningCalls />
          {footer === undefined ? null : <footer className={styles.footer}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
