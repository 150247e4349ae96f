import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useSettings } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { useDelayed } from '../ui/use-delayed.ts'
import styles from './InboxList.module.css'
import { InboxLine } from './InboxLine.tsx'
import { SectionHead } from './SectionHead.tsx'
import { entryAt, entryCount, lineOfRow } from './section-rows.ts'
import { placeOf, type Place } from './selection.ts'
import type { Inbox } from './use-inbox.ts'
import { useAnchor } from './use-anchor.ts'

const HEAD_PX = 30
const ROW_PX = { comfortable: 54, compact: 46 }
const PAGE_ROWS = 10

/** The rows of the inbox. One stop for the keyboard: arrows, j and k move, Enter goes on to what is open. */
export function InboxList({
  inbox,
  selected,
  onSelect,
  onOpen,
}: {
  inbox: Inbox
  selected: number | undefined
  onSelect: (place: Place, row: number) => void
  onOpen: () => void
}) {
  const { t } = useText()
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { density } = useSettings()
  const rowPx = ROW_PX[density]
  const { sections } = inbox
  const virtual = useVirtualizer({
    count: entryCount(sections),
    getScrollElement: () => scroller.current,
    estimateSize: (line) => (entryAt(sections, line)?.kind === 'head' ? HEAD_PX : rowPx),
    overscan: 8,
    // A guess until it is measured, so that the first rows are drawn with the list.
    initialRect: { width: 0, height: window.innerHeight },
  })
  // Sizes are known, not measured; they change with the sections and the density.
  useLayoutEffect(() => virtual.measure(), [virtual, sections, rowPx])
  useVisibleRows(inbox, virtual.range)
  useAnchor({ inbox, scroller, offset: virtual.scrollOffset ?? 0, rowPx, headPx: HEAD_PX })
  // A row that is still on its way is opened when it is here.
  const [pending, setPending] = useState<number>()
  const wanted = useRef(selected ?? -1)
  if (selected !== undefined && pending === undefined) wanted.current = selected
  const arrived = pending === undefined ? undefined : inbox.row(pending)
  useEffect(() => {
    if (pending === undefined || arrived === undefined) return
    setPending(undefined)
    onSelect(placeOf(arrived), pending)
  }, [pending, arrived, onSelect])
  const moveTo = (row: number) => {
    const target = Math.min(Math.max(row, 0), inbox.total - 1)
    virtual.scrollToIndex(lineOfRow(sections, target), { align: 'auto' })
    wanted.current = target
    setPending(target)
  }
  const move = (by: number) => moveTo(wanted.current + by)
  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  useRevealOnce(inbox, selected, (row) => virtual.scrollToIndex(lineOfRow(sections, row), { align: 'auto' }))
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event, { move, moveTo, last: inbox.total - 1, onOpen })
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  const isSlow = useDelayed(!inbox.isReady, 200)
  if (inbox.error !== undefined && !inbox.isReady)
    return <ErrorNote error={inbox.error} onRetry={inbox.reload} />
  if (!inbox.isReady) return <div className={isSlow ? styles.skeleton : styles.blank} aria-busy="true" />
  const line = selected === undefined ? undefined : lineOfRow(sections, selected)
  const isDrawn = selected !== undefined && virtual.getVirtualItems().some(({ index }) => index === line)
  const optionId = (row: number) => `${id}-${row}`
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="listbox"
      aria-label={t('inbox.list')}
      tabIndex={0}
      aria-activedescendant={isDrawn ? optionId(selected) : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.space} style={{ height: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const entry = entryAt(sections, index)
          if (entry === undefined) return null
          const place = { topPx: start, heightPx: size }
          if (entry.kind === 'head')
            return <SectionHead key={`head ${entry.section}`} entry={entry} {...place} />
          const row = inbox.row(entry.row)
          return (
            <InboxLine
              key={row?.key ?? `blank ${entry.row}`}
              id={optionId(entry.row)}
              row={row}
              number={entry.row}
              total={inbox.total}
              isSelected={entry.row === selected}
              {...place}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          )
        })}
      </div>
    </div>
  )
}

function keyAction(
  event: KeyboardEvent,
  {
    move,
    moveTo,
    last,
    onOpen,
  }: { move: (by: number) => void; moveTo: (row: number) => void; last: number; onOpen: () => void },
): (() => void) | undefined {
  if (event.metaKey || event.ctrlKey || event.altKey) return undefined
  switch (event.key) {
    case 'ArrowDown':
      return () => move(1)
    case 'ArrowUp':
      return () => move(-1)
    case 'PageDown':
      return () => move(PAGE_ROWS)
    case 'PageUp':
      return () => move(-PAGE_ROWS)
    case 'Home':
      return () => moveTo(0)
    case 'End':
      return () => moveTo(last)
    case 'Enter':
      return onOpen
    default:
      return undefined
  }
}

/** Has the rows fetched that the person sees. */
function useVisibleRows(inbox: Inbox, range: { startIndex: number; endIndex: number } | null): void {
  const { show, sections } = inbox
  const first = range?.startIndex
  const last = range?.endIndex
  useEffect(() => {
    if (first === undefined || last === undefined) return
    const top = entryAt(sections, first)
    const bottom = entryAt(sections, last)
    const from = top?.kind === 'row' ? top.row : (rowAfterHead(sections, first) ?? 0)
    const to = bottom?.kind === 'row' ? bottom.row : from
    show(from, Math.max(from, to))
  }, [show, sections, first, last])
}

function rowAfterHead(sections: Inbox['sections'], line: number): number | undefined {
  const next = entryAt(sections, line + 1)
  return next?.kind === 'row' ? next.row : undefined
}

/** Scrolls to what is open when the list comes up, and when it was opened from elsewhere; not when rows move. */
function useRevealOnce(inbox: Inbox, selected: number | undefined, reveal: (row: number) => void): void {
  const place = selected === undefined ? undefined : inbox.row(selected)?.key
  const latest = useRef({ selected, reveal })
  latest.current = { selected, reveal }
  useEffect(() => {
    if (place !== undefined && latest.current.selected !== undefined)
      latest.current.reveal(latest.current.selected)
  }, [place])
}
