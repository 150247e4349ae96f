import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import { call } from '../bridge/bridge.ts'
import { useHostLabel } from '../app/host-words.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useAction } from '../ui/use-action.ts'
import { eventLine } from './event-words.ts'
import { EventRow } from './EventRow.tsx'
import { joinEvents } from './join-events.ts'
import styles from './Timeline.module.css'
import { useStayAtEnd } from './use-stay-at-end.ts'

const PAGE = 500

/** What happened to a task, oldest first; it stays at the end while the person is there. */
export function Timeline({
  host,
  taskId,
  detail,
  onPlan,
}: {
  host: string
  taskId: string
  detail: IpcOutput<'task.get'> | undefined
  onPlan: () => void
}) {
  const { t } = useText()
  const place = useHostLabel(host)
  const [onlyKey, setOnlyKey] = useState(false)
  const { events, earlier } = useEarlier(host, taskId, detail)
  const tickets = detail?.tickets
  const lines = useMemo(() => {
    const open = new Set(tickets?.filter(({ state }) => state === 'open').map(({ id }) => id))
    return events
      .map((event) => ({ event, line: eventLine(event, t, open) }))
      .filter(
        ({ event, line }) =>
          !(event.type === 'progress' && event.body['kind'] === 'usage') &&
          (!onlyKey || line.weight === 'key'),
      )
  }, [events, tickets, onlyKey, t])
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    getItemKey: (index) => lines[index]?.event.seq ?? index,
    overscan: 12,
  })
  const total = rows.getTotalSize()
  const isShown = detail !== undefined
  const end = useStayAtEnd({ scroller, count: lines.length, heightPx: total, isShown })
  if (detail === undefined) return null
  return (
    <div className={styles.frame}>
      <div className={styles.tools} role="group" aria-label={t('tasks.timeline.label')}>
        <button type="button" aria-pressed={!onlyKey} onClick={() => setOnlyKey(false)}>
          {t('tasks.timeline.filterAll')}
        </button>
        <button type="button" aria-pressed={onlyKey} onClick={() => setOnlyKey(true)}>
          {t('tasks.timeline.filterKey')}
        </button>
        <span />
        {earlier === undefined ? null : (
          <Button size="small" look="quiet" busy={earlier.isBusy} onClick={earlier.run}>
            {t('tasks.timeline.earlier')}
          </Button>
        )}
      </div>
      {earlier?.error === undefined ? null : <ErrorNote error={earlier.error} />}
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={end.onScroll}
        tabIndex={0}
        role="region"
        aria-label={t('tasks.timeline.label')}
      >
        {lines.length === 0 ? (
          <p className={styles.empty}>
            {t(detail.fresh ? 'tasks.timeline.empty' : 'tasks.timeline.away', { host: place })}
          </p>
        ) : null}
        <ol style={{ height: total, position: 'relative' }}>
          {rows.getVirtualItems().map((item) => {
            const entry = lines[item.index]
            return entry === undefined ? null : (
              <li
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                className={styles.row}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <EventRow host={host} at={entry.event.at} line={entry.line} onPlan={onPlan} />
              </li>
            )
          })}
        </ol>
        {isWorking(detail.task) ? <p className={styles.working}>{t('tasks.timeline.working')}</p> : null}
      </div>
      {end.isAway ? (
        <Button size="small" className={styles.jump} onClick={end.goToEnd}>
          {t('tasks.timeline.jump')}
        </Button>
      ) : null}
    </div>
  )
}

/** A task whose executor is silent or away is running too, and nobody knows what it does. */
function isWorking({ state, stalledSince, offlineSince }: IpcOutput<'task.get'>['task']): boolean {
  return state === 'running' && stalledSince === undefined && offlineSince === undefined
}

/** The events of the detail, preceded by older ones once they were asked for. */
function useEarlier(host: string, taskId: string, detail: IpcOutput<'task.get'> | undefined) {
  const [known, setKnown] = useState<readonly WireEvent[]>([])
  const newest = detail?.events
  const events = useMemo(() => joinEvents(known, newest ?? []), [known, newest])
  // The newest are a window that moves on: what leaves it is kept once the beginning was asked for.
  useEffect(() => {
    if (newest !== undefined)
      setKnown((before) => (before.length === 0 ? before : joinEvents(before, newest)))
  }, [newest])
  const load = useAction(async () => {
    const found: WireEvent[] = []
    for (;;) {
      const page = await call('task.events', { host, taskId, afterSeq: found.at(-1)?.seq ?? 0, limit: PAGE })
      found.push(...page.events)
      if (page.events.length < PAGE) break
    }
    setKnown(found)
  })
  const isWhole = events[0] === undefined || events[0].type === 'dispatched'
  return { events, earlier: isWhole ? undefined : load }
}
