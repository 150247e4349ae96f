import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { taskIdOf } from '../../shared/domain/ticket-id.ts'
import { INBOX_ROUTE } from '../../shared/ipc/routes.ts'
import type { Decision } from '../../shared/ipc/work-calls.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useDelayed } from '../ui/use-delayed.ts'
import { MayNot } from './MayNot.tsx'
import styles from './TicketCard.module.css'
import { TicketAsk } from './TicketAsk.tsx'
import { TicketActions } from './TicketActions.tsx'
import { TicketHead } from './TicketHead.tsx'
import { ReviewSummary } from './ReviewSummary.tsx'
import { Outgoing, TicketOutcome } from './TicketOutcome.tsx'
import { isDangerous } from './ticket-words.ts'
import { useDecide } from './use-decide.ts'
import { WhyLine } from './WhyLine.tsx'

/** A ticket with its task, and on which host. */
export type TicketView = IpcOutput<'ticket.get'> & { host: string }

/** Called when an answer of the person was taken, refused as too late, or kept for later. */
export type OnDecided = (decision: Decision, ticket: Ticket) => void

/** One ticket, decided where it is shown. It follows every change of its task. */
export function TicketCard({
  host,
  ticketId,
  onDecided,
  takesFocus = false,
}: {
  host: string
  ticketId: string
  onDecided?: OnDecided
  /** The card (never one of its buttons) has the keyboard when it comes up. */
  takesFocus?: boolean
}) {
  const { t } = useText()
  const taskId = taskIdOf(ticketId)
  const { data, error, reload } = useCall(
    'ticket.get',
    { host, ticketId },
    { refreshOn: touches(host, taskId) },
  )
  const isSlow = useDelayed(data === undefined && error === undefined, 200)
  if (data !== undefined)
    return (
      <Card
        key={`${host}/${ticketId}`}
        view={{ ...data, host }}
        onDecided={onDecided}
        onReload={reload}
        takesFocus={takesFocus}
      />
    )
  if (error?.code === 'ticket_not_found' || error?.code === 'task_not_found')
    return (
      <Empty
        title={t('ticket.gone')}
        actions={<Button onClick={() => navigate(INBOX_ROUTE)}>{t('ticket.toInbox')}</Button>}
      >
        {t('ticket.goneText')}
      </Empty>
    )
  if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />
  return <div className={isSlow ? styles.skeleton : styles.blank} aria-busy="true" />
}

function Card({
  view: given,
  onDecided,
  onReload,
  takesFocus,
}: {
  view: TicketView
  onDecided: OnDecided | undefined
  onReload: () => void
  takesFocus: boolean
}) {
  const headingId = useId()
  const decide = useDecide({ host: given.host, ticket: given.ticket, onDecided })
  const view = withDecision(given, decide.decision)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const onHidden = useCallback((part: string, isHidden: boolean) => {
    setHidden((before) => {
      if (before.has(part) === isHidden) return before
      const after = new Set(before)
      if (!after.delete(part)) after.add(part)
      return after
    })
  }, [])
  const card = useFocusKept({ takesFocus, decision: decide.decision })
  const { ticket, outbox } = view
  const isOpen = ticket.state === 'open'
  const classes = [styles.card, isOpen && isDangerous(ticket) ? styles.danger : '']
  return (
    // Enter in the list leads here, so it can be focused; it has nothing that Enter would press.
    <section
      ref={card}
      className={classes.join(' ')}
      aria-labelledby={headingId}
      tabIndex={-1}
      data-ticket={ticket.id}
    >
      <TicketHead ticket={ticket} headingId={headingId} />
      <WhyLine ticket={ticket} task={view.task} />
      <TicketAsk view={view} onHidden={onHidden} />
      {decide.error === undefined ? null : <ErrorNote error={decide.error} />}
      {isOpen && outbox !== undefined ? <Outgoing host={view.host} entry={outbox} /> : null}
      {ticket.ask.kind === 'review' ? <ReviewSummary view={view} /> : null}
      {isOpen && outbox === undefined && view.whyNot !== undefined ? (
        <MayNot host={view.host} whyNot={view.whyNot} onPaired={onReload} />
      ) : null}
      {isOpen && outbox === undefined && view.mayAnswer ? (
        <div className={styles.dock} data-settled={decide.isSettled}>
          <TicketActions view={view} decide={decide} isBlocked={hidden.size > 0} />
        </div>
      ) : null}
      {isOpen ? null : <TicketOutcome view={view} wasLate={decide.decision?.kind === 'already_answered'} />}
    </section>
  )
}

/** The keyboard is not lost with the buttons: it goes to the card when they are gone, or when it comes up after another. */
function useFocusKept({ takesFocus, decision }: { takesFocus: boolean; decision: Decision | undefined }) {
  const card = useRef<HTMLElement>(null)
  const takes = useRef(takesFocus)
  useEffect(() => {
    if (takes.current) card.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (decision !== undefined && isLost) card.current?.focus({ preventScroll: true })
  }, [decision])
  return card
}

/** What the answer's outcome already says, until the ticket itself has been read again. */
function withDecision(view: TicketView, decision: Decision | undefined): TicketView {
  if (decision === undefined || decision.kind === 'queued' || view.ticket.state !== 'open') return view
  return { ...view, ticket: decision.ticket }
}
