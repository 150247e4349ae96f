import { useCallback, useEffect, useRef, useState } from 'react'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { Decision } from '../../shared/ipc/work-calls.ts'
import { reviewRoute, routeParts } from '../../shared/ipc/routes.ts'
import { currentRoute, navigate } from '../app/navigation.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { prepareCall } from '../bridge/use-call.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { announce, Announcer } from '../ui/announce.tsx'
import { visibleLine } from '../../shared/domain/visible.ts'
import { askedWords } from '../ticket/ticket-words.ts'
import { useDemo } from '../welcome/demo.ts'
import { Welcome } from '../welcome/Welcome.tsx'
import { Detail } from './Detail.tsx'
import { InboxEmpty, QuietInbox } from './InboxEmpty.tsx'
import { InboxBar } from './InboxBar.tsx'
import { InboxList } from './InboxList.tsx'
import styles from './InboxScreen.module.css'
import {
  isSame,
  isTicket,
  nextNeeding,
  placeFrom,
  placeOf,
  routeOfPlace,
  type InboxPlace,
} from './selection.ts'
import { isFiltering, NO_FILTER, useInbox, type Inbox, type InboxFilter } from './use-inbox.ts'
import { useFirstStart } from './use-first-start.ts'
import { useSelectedRow } from './use-selected-row.ts'

// Narrower than this the list and what is open take turns (the same width as in the style sheet).
const WIDE = '(min-width: 860px)'

/** Everything that waits, and the ticket that is open with its task. */
export function InboxScreen({ parts }: { parts: string[] }) {
  const { t } = useText()
  const [filter, setFilter] = useState<InboxFilter>(NO_FILTER)
  const inbox = useInbox(filter)
  const place = placeFrom(parts)
  const { row: selected, lookAt } = useSelectedRow(inbox, place)
  const [receipt, setReceipt] = useState<InboxPlace>()
  const detail = useRef<HTMLDivElement>(null)
  const isFirst = useFirstStart(inbox, filter)
  const [takesFocus, setTakesFocus] = useState(false)
  const demo = useDemo()
  useFirstSelection(inbox, place)

  // Always the same functions, so that rows that did not change are not drawn again.
  const select = useCallback(
    (next: InboxPlace, row: number) => {
      lookAt(row)
      setTakesFocus(false)
      go(next)
    },
    [lookAt],
  )
  const latest = useRef(inbox)
  latest.current = inbox
  const open = useCallback((number: number) => {
    const row = latest.current.row(number)
    // Changes are read in the whole window; the card would only be one more step.
    if (row?.kind === 'review') navigate(reviewRoute(row.host, row.taskId))
    else detail.current?.querySelector<HTMLElement>('section')?.focus()
  }, [])
  const onDecided = (decision: Decision, ticket: Ticket) => {
    // What turned out otherwise than meant stays on the screen.
    if (decision.kind === 'already_answered' || decision.kind === 'expired') return
    // The answer took its time, and the person has gone elsewhere.
    if (place === undefined || !isAt(place)) return
    const next = nextNeeding(inbox.row, inbox.sections, { place, row: selected })
    if (next === undefined) return
    // Who walks through the list with the keyboard stays there.
    setTakesFocus(document.activeElement?.getAttribute('role') !== 'listbox')
    setReceipt({ host: place.host, id: ticket.id })
    go(next)
    const title = titleOf(inbox, next, t)
    if (title !== undefined) announce(t('inbox.selected', { title }))
  }
  const isEmpty = inbox.isReady && inbox.total === 0
  if (isEmpty && place === undefined && !isFiltering(filter))
    return (
      <div className={styles.whole}>
        {isFirst || demo.kind !== 'idle' ? <Welcome demo={demo} /> : <QuietInbox />}
        <Announcer />
      </div>
    )
  return (
    <div className={styles.screen} data-open={place !== undefined}>
      <div className={styles.list}>
        <InboxBar filter={filter} onFilter={setFilter} />
        {isEmpty ? (
          <InboxEmpty filter={filter} onClear={() => setFilter(NO_FILTER)} />
        ) : (
          <InboxList inbox={inbox} selected={selected} onSelect={select} onOpen={open} />
        )}
      </div>
      <div className={styles.detail} ref={detail}>
        <Detail
          place={place}
          receipt={isSame(receipt, place) ? undefined : receipt}
          onReceiptDone={() => setReceipt(undefined)}
          onDecided={onDecided}
          takesFocus={takesFocus}
        />
      </div>
      <Announcer />
    </div>
  )
}

function go(next: InboxPlace): void {
  navigate(routeOfPlace(next), { replace: true })
}

/** Whether the window is still at a place of the inbox, or at the inbox without one. */
function isAt(place: InboxPlace | undefined): boolean {
  const [section, ...parts] = routeParts(currentRoute())
  const now = placeFrom(parts)
  return section === 'inbox' && (place === undefined ? now === undefined : isSame(now, place))
}

function titleOf(inbox: Inbox, place: InboxPlace, t: Translate): string | undefined {
  for (let index = 0; index < Math.min(inbox.total, 200); index += 1) {
    const row = inbox.row(index)
    if (row !== undefined && isSame(placeOf(row), place))
      return askedWords(row.kind, visibleLine(row.title), t)
  }
  return undefined
}

/** Opens the first row when there is room for it and nothing is open; never exchanges what is open. */
function useFirstSelection(inbox: ReturnType<typeof useInbox>, place: InboxPlace | undefined): void {
  const first = inbox.row(0)
  const key = first === undefined ? undefined : routeOfPlace(placeOf(first))
  // The rows first: the ticket takes longer to draw than all of them. But it is asked for meanwhile.
  const begin = useRef(place ?? (first && placeOf(first)))
  useEffect(() => {
    const { current: opening } = begin
    if (opening !== undefined && isTicket(opening) && matchMedia(WIDE).matches)
      prepareCall('ticket.get', { host: opening.host, ticketId: opening.id })
  }, [])
  useEffect(() => {
    if (place !== undefined || key === undefined || !matchMedia(WIDE).matches) return
    // The route changes before this screen is gone.
    return afterPaint(() => isAt(undefined) && navigate(key, { replace: true }))
  }, [key, place])
}
