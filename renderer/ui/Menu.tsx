import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './Menu.module.css'

/** A menu below a button; the arrow keys and letters work in it. */
export function Menu({
  trigger,
  children,
  align = 'start',
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** One entry of a menu. */
export function MenuItem({
  onSelect,
  danger = false,
  disabled = false,
  note,
  children,
}: {
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item
      className={`${styles.item} ${danger ? styles.danger : ''}`}
      disabled={disabled}
      onSelect={onSelect}
    >
      <span className={styles.label}>{children}</span>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
    </DropdownMenu.Item>
  )
}

/** A line between groups of entries. */
export function MenuLine() {
  return <DropdownMenu.Separator className={styles.line} />
}

/** One of several entries that are on or off; a mark stands before the one that is on. */
export function MenuChoice({
  checked,
  onSelect,
  note,
  children,
}: {
  checked: boolean
  onSelect: () => void
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <DropdownMenu.CheckboxItem className={styles.item} checked={checked} onSelect={onSelect}>
      <span className={styles.mark} aria-hidden="true">
        <DropdownMenu.ItemIndicator>
          <Check size={13} />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className={styles.label}>{children}</span>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
    </DropdownMenu.CheckboxItem>
  )
}
