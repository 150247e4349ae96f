import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useDeferredValue } from 'react'
import type { Task } from '../../shared/domain/task.ts'
import { taskIdOf } from '../../shared/domain/ticket-id.ts'
import type { IpcOutput } from '../../shared/ipc.ts'
import { INBOX_ROUTE, taskRoute } from '../../shared/ipc/routes.ts'
import { useHostLabel } from '../app/host-words.ts'
import { navigate } from '../app/navigation.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { TicketCard, type OnDecided } from '../ticket/TicketCard.tsx'
import { stateTone, stateWords } from '../tasks/task-words.ts'
import { isForPerson } from '../ticket/ticket-words.ts'
import { useHasPainted } from '../ui/after-paint.ts'
import { IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Crumb, PaneBar } from '../ui/Pane.tsx'
import { Tag } from '../ui/Tag.tsx'
import { visibleLine } from '../../shared/domain/visible.ts'
import styles from './Detail.module.css'
import { Receipt } from './Receipt.tsx'
import { isTicket, type InboxPlace } from './selection.ts'
import { TroubleCard } from './TroubleCard.tsx'

const TaskTabs = lazy(() => import('../tasks/TaskTabs.tsx').then((m) => ({ default: m.TaskTabs })))

/** What is open: the ticket, or what is wrong with a task; below it the task itself. */
export function Detail({
  place: wanted,
  receipt,
  onReceiptDone,
  onDecided,
  takesFocus,
}: {
  place: InboxPlace | undefined
  receipt: InboxPlace | undefined
  onReceiptDone: () => void
  onDecided: OnDecided
  /** Whether the next ticket takes the keyboard, because the one before had it. */
  takesFocus: boolean
}) {
  const { t } = useText()
  // Moving quickly through the list draws only where it stops.
  const place = useDeferredValue(wanted)
  // The rows first: the ticket takes longer to draw than all of them.
  if (!useHasPainted()) return <div aria-busy="true" />
  if (place === undefined) return <Empty title={t('inbox.chooseTitle')}>{t('inbox.chooseText')}</Empty>
  const taskId = taskIdOf(place.id)
  return (
    <>
      {isTicket(place) ? <TicketBar place={place} taskId={taskId} /> : <TaskBar place={place} />}
      {receipt === undefined ? null : (
        <Receipt key={`${receipt.host}/${receipt.id}`} place={receipt} onDone={onReceiptDone} />
      )}
      <div className={styles.parts}>
        <div className={styles.card}>
          {isTicket(place) ? (
            <TicketCard host={place.host} ticketId={place.id} onDecided={onDecided} takesFocus={takesFocus} />
          ) : (
            <TroubleCard host={place.host} taskId={place.id} />
          )}
        </div>
        <div className={styles.task}>
          <Suspense fallback={<div aria-busy="true" />}>
            <TaskTabs key={`${place.host}/${taskId}`} host={place.host} taskId={taskId} />
          </Suspense>
        </div>
      </div>
    </>
  )
}

function TicketBar({ place, taskId }: { place: InboxPlace; taskId: string }) {
  const { t } = useText()
  const at = { host: place.host, ticketId: place.id }
  const host = useHostLabel(place.host)
  const { data } = useCall('ticket.get', at, { refreshOn: touches(place.host, taskId) })
  if (data === undefined) return <Bar host={place.host} task={undefined} />
  const { tone, words } = standing(data, host, t)
  return (
    <Bar host={place.host} task={data.task}>
      <Tag tone={tone}>{words}</Tag>
    </Bar>
  )
}

function TaskBar({ place }: { place: InboxPlace }) {
  const at = { host: place.host, taskId: place.id }
  const { data } = useCall('task.get', at, { refreshOn: touches(place.host, place.id) })
  return <Bar host={place.host} task={data?.task} />
}

function Bar({
  host: name,
  task,
  children,
}: {
  host: string
  task: Task | undefined
  children?: React.ReactNode
}) {
  const { t } = useText()
  const host = useHostLabel(name)
  const crumbs = [host, ...(task === undefined ? [] : [visibleLine(task.executor), visibleLine(task.branch)])]
  return (
    <PaneBar className={styles.bar}>
      <span className={styles.back}>
        <IconButton label={t('common.back')} onClick={() => navigate(INBOX_ROUTE, { replace: true })}>
          <ArrowLeft size={15} />
        </IconButton>
      </span>
      {task === undefined ? null : (
        <button type="button" className={styles.title} onClick={() => navigate(taskRoute(name, task.id))}>
          {visibleLine(task.title)}
        </button>
      )}
      <Crumb className={styles.crumb}>{crumbs.join(' · ')}</Crumb>
      <span className={styles.space} />
      {children}
    </PaneBar>
  )
}

/** What the task waits for or does, for the tag beside its title. How an answered ticket stands is told by its card. */
function standing(
  { ticket, task, outbox }: IpcOutput<'ticket.get'>,
  host: string,
  t: Translate,
): { tone: ReturnType<typeof stateTone>; words: string } {
  if (ticket.state !== 'open') return { tone: stateTone(task), words: stateWords(task, t) }
  if (outbox !== undefined)
    return outbox.state === 'sending'
      ? { tone: 'neutral', words: t('ticket.state.sending') }
      : { tone: 'warn', words: t('ticket.state.queued', { host }) }
  if (ticket.ask.kind === 'review') return { tone: 'ok', words: t('ticket.state.review') }
  return isForPerson(ticket, task)
    ? { tone: 'warn', words: t('ticket.state.needs_you') }
    : { tone: 'neutral', words: t('ticket.state.reviewer') }
}
