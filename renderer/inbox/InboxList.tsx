import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useSettings } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { useDelayed } from '../ui/use-delayed.ts'
import styles from './InboxList.module.css'
import { InboxLine } from './InboxLine.tsx'
import { SectionHead } from './SectionHead.tsx'
import { entryAt, lineOfRow, topOfLine } from './section-rows.ts'
import { placeOf, type InboxPlace } from './selection.ts'
import type { Inbox } from './use-inbox.ts'
import { useAnchor } from './use-anchor.ts'
import { useLines } from './use-lines.ts'

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
  onSelect: (place: InboxPlace, row: number) => void
  onOpen: (row: number) => void
}) {
  const { t } = useText()
  const id = useId()
  const { density } = useSettings()
  const { sections } = inbox
  const px = { rowPx: ROW_PX[density], headPx: HEAD_PX }
  const lines = useLines(sections, px)
  const { drawn, reveal } = lines
  useVisibleRows(inbox, lines.seen)
  useAnchor({ inbox, scroller: lines.scroller, offset: lines.offsetPx, ...px })
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
    reveal(target)
    wanted.current = target
    setPending(target)
  }
  const move = (by: number) => moveTo(wanted.current + by)
  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  useRevealOnce(inbox, selected, reveal)
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event, {
      move,
      moveTo,
      last: inbox.total - 1,
      open: () => onOpen(wanted.current),
    })
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  const isSlow = useDelayed(!inbox.isReady, 200)
  if (inbox.error !== undefined && !inbox.isReady)
    return <ErrorNote error={inbox.error} onRetry={inbox.reload} />
  if (!inbox.isReady) return <div className={isSlow ? styles.skeleton : styles.blank} aria-busy="true" />
  const line = selected === undefined ? -1 : lineOfRow(sections, selected)
  const isDrawn = selected !== undefined && line >= drawn.first && line <= drawn.last
  const optionId = (row: number) => `${id}-${row}`
  return (
    <div
      ref={lines.attach}
      className={styles.scroller}
      role="listbox"
      aria-label={t('inbox.list')}
      tabIndex={0}
      aria-activedescendant={isDrawn ? optionId(selected) : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.space} style={{ height: lines.totalPx }} role="presentation">
        {linesOf(drawn).map((index) => {
          const entry = entryAt(sections, index)
          if (entry === undefined) return null
          const topPx = topOfLine(sections, index, px)
          if (entry.kind === 'head')
            return (
              <SectionHead key={`head ${entry.section}`} entry={entry} topPx={topPx} heightPx={HEAD_PX} />
            )
          const row = inbox.row(entry.row)
          return (
            <InboxLine
              key={row?.key ?? `blank ${entry.row}`}
              id={optionId(entry.row)}
              row={row}
              number={entry.row}
              total={inbox.total}
              isSelected={entry.row === selected}
              topPx={topPx}
              heightPx={px.rowPx}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          )
        })}
      </div>
    </div>
  )
}

function linesOf({ first, last }: { first: number; last: number }): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function keyAction(
  event: KeyboardEvent,
  {
    move,
    moveTo,
    last,
    open,
  }: { move: (by: number) => void; moveTo: (row: number) => void; last: number; open: () => void },
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
      return open
    default:
      return undefined
  }
}

/** Has the rows fetched that the person sees. */
function useVisibleRows(inbox: Inbox, { first, last }: { first: number; last: number }): void {
  const { show, sections } = inbox
  useEffect(() => {
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
