import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { call } from '../bridge/bridge.ts'
import { useHosts, useSettings } from '../bridge/desk-store.ts'
import { useList } from '../bridge/use-list.ts'
import { navigate } from '../app/navigation.ts'
import type { TaskState } from '../../shared/domain/task.ts'
import type { TaskRow } from '../../shared/ipc/views.ts'
import { taskRoute } from '../../shared/ipc/routes.ts'
import { useText } from '../i18n/i18n.ts'
import { openNewTask } from '../palette/open.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { FilterField } from '../ui/FilterField.tsx'
import { Pane, PaneBar } from '../ui/Pane.tsx'
import { TaskLine } from './TaskLine.tsx'
import styles from './TaskList.module.css'

const STATES = {
  all: undefined,
  open: ['pending', 'submitted', 'running', 'waiting_answer', 'waiting_review'],
  review: ['waiting_review'],
  over: ['completed', 'failed', 'cancelled'],
} as const satisfies Record<string, readonly TaskState[] | undefined>
type Which = keyof typeof STATES

const ROW_PX = { comfortable: 52, compact: 44 }

/** The list of tasks: filtered, as long as it may be. */
export function TaskList({ selected }: { selected: string | undefined }) {
  const { t } = useText()
  const [which, setWhich] = useState<Which>('all')
  const [text, setText] = useState('')
  const states = STATES[which]
  const list = useList<TaskRow, object>(`tasks ${which} ${text}`, (offset, limit) =>
    call('task.window', {
      offset,
      limit,
      ...(text === '' ? {} : { text }),
      ...(states === undefined ? {} : { states: [...states] }),
    }),
  )
  const isFiltered = text !== '' || which !== 'all'
  // Nothing to filter and nothing to choose: what can be done takes the whole width.
  const isBare = list.isReady && list.total === 0 && !isFiltered && selected === undefined
  return (
    <Pane className={styles.list} aria-label={t('tasks.title')} data-bare={isBare}>
      <PaneBar className={styles.bar}>
        <h1>{t('tasks.title')}</h1>
        {isBare ? null : (
          <>
            <small title={t('tasks.count', { count: list.total })}>{list.isReady ? list.total : ''}</small>
            <FilterField
              value={text}
              label={t('tasks.filter')}
              clearLabel={t('tasks.clearFilter')}
              onChange={setText}
              onClear={text === '' ? undefined : () => setText('')}
            />
          </>
        )}
      </PaneBar>
      <div className={styles.filter} hidden={isBare}>
        <div className={styles.which} role="group" aria-label={t('tasks.filterBy')}>
          {(Object.keys(STATES) as Which[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === which} onClick={() => setWhich(one)}>
              {t(`tasks.${one}`)}
            </button>
          ))}
        </div>
      </div>
      {list.error === undefined ? null : <ErrorNote error={list.error} onRetry={list.reload} />}
      {list.isReady && list.total === 0 ? (
        <Nothing isFiltered={isFiltered} onClear={() => (setText(''), setWhich('all'))} />
      ) : (
        <Rows list={list} selected={selected} />
      )}
    </Pane>
  )
}

function Rows({
  list,
  selected,
}: {
  list: ReturnType<typeof useList<TaskRow, object>>
  selected: string | undefined
}) {
  const { t } = useText()
  const hosts = useHosts()
  const rowPx = ROW_PX[useSettings().density]
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: list.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  useEffect(() => rows.measure(), [rows, rowPx])
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const { show } = list
  useEffect(() => show(first, last), [show, first, last])
  const open = (row: TaskRow) => navigate(taskRoute(row.host, row.taskId))
  const step = (by: number) => {
    let at = -1
    for (let index = first; index <= last; index += 1) if (list.row(index)?.key === selected) at = index
    const next = at === -1 ? first : at + by
    const row = list.row(next)
    if (row === undefined) return
    rows.scrollToIndex(next)
    open(row)
  }
  useShortcut('j', () => step(1))
  useShortcut('k', () => step(-1))
  // With arrows the focus goes along: the row it was on may be scrolled away.
  const takesFocus = useRef(false)
  useEffect(() => {
    if (!takesFocus.current) return
    takesFocus.current = false
    scroller.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [selected])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    takesFocus.current = true
    step(by)
  }
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={-1} onKeyDown={onKeyDown}>
      <ul aria-label={t('tasks.title')} style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {items.map((item) => {
          const row = list.row(item.index)
          return (
            <li
              key={row?.key ?? item.index}
              className={styles.row}
              style={{ height: rowPx, transform: `translateY(${item.start}px)` }}
              aria-setsize={list.total}
              aria-posinset={item.index + 1}
            >
              {row === undefined ? null : (
                <TaskLine
                  row={row}
                  host={hosts.find((host) => host.name === row.host)}
                  isCurrent={row.key === selected}
                  onOpen={() => open(row)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useText()
  if (isFiltered)
    return (
      <Empty
        title={t('tasks.nothingFound')}
        actions={<Button onClick={onClear}>{t('tasks.clearFilter')}</Button>}
      >
        {t('tasks.nothingFoundText')}
      </Empty>
    )
  return (
    <Empty
      title={t('tasks.emptyTitle')}
      actions={
        <Button look="primary" onClick={openNewTask}>
          {t('tasks.newTask')}
        </Button>
      }
    >
      {t('tasks.emptyText')}
    </Empty>
  )
}
