import { Check, CircleSlash, Clock, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useHostLabel } from '../app/host-words.ts'
import { call } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { announce } from '../ui/announce.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { clockTime, useNow } from '../ui/time.ts'
import { useAction } from '../ui/use-action.ts'
import { fromWireError } from '../../shared/errors.ts'
import type { OutboxEntry } from '../../shared/ipc/work-calls.ts'
import type { TicketView } from './TicketCard.tsx'
import styles from './TicketOutcome.module.css'
import { answerText, answerWords, closedWords } from './ticket-words.ts'

// It reads events, and their schemas are no part of the start.
const LastAttempt = lazy(() => import('./LastAttempt.tsx').then((m) => ({ default: m.LastAttempt })))

/** What became of a ticket that needs nothing more from the person. `wasLate`: they answered, and somebody was faster. */
export function TicketOutcome({ view, wasLate }: { view: TicketView; wasLate: boolean }) {
  const { t, language } = useText()
  const now = useNow()
  const host = useHostLabel(view.host)
  const { ticket } = view
  if (ticket.state === 'expired')
    return (
      <Line icon={<CircleSlash size={15} />} title={t('ticket.expired')}>
        {ticket.closedReason === undefined ? null : <p>{closedWords(ticket.closedReason, t)}</p>}
      </Line>
    )
  if (ticket.answer === undefined || ticket.answeredBy === undefined) return null
  const said = answerText(ticket.answer)
  const isStuck = ticket.state === 'failed'
  return (
    <Line
      icon={isStuck ? <TriangleAlert size={15} /> : <Check size={15} />}
      tone={isStuck ? 'warn' : 'ok'}
      title={answerWords(ticket.answer, ticket.answeredBy, t)}
    >
      {wasLate ? <p>{t('ticket.first')}</p> : null}
      {said === undefined ? null : <blockquote>{said}</blockquote>}
      <p>
        {ticket.answeredAt === undefined ? null : <span>{clockTime(ticket.answeredAt, now, language)}</span>}
        {ticket.state === 'open' ? null : <span>{t(`ticket.after.${ticket.state}`, { host })}</span>}
      </p>
      {isStuck ? (
        <Suspense>
          <LastAttempt view={view} />
        </Suspense>
      ) : null}
    </Line>
  )
}

/** The person's answer that has not reached its host yet, and the way to take it back. */
export function Outgoing({ host: name, entry }: { host: string; entry: OutboxEntry }) {
  const { t } = useText()
  const host = useHostLabel(name)
  const { run, isBusy, error } = useAction(async () => {
    const { discarded } = await call('outbox.discard', { id: entry.id })
    // One that was tried may have arrived although its host's answer did not.
    const wasTried = entry.state === 'queued' && entry.error !== undefined
    announce(t(discarded && !wasTried ? 'ticket.takenBack' : 'ticket.tooLateToTakeBack'))
  })
  const state = { queued: 'queued', sending: 'queuedSending', failed: 'queuedFailed' } as const
  const said = answerText(entry.answer)
  return (
    <Line icon={<Clock size={15} />} tone="warn" title={answerWords(entry.answer, 'me', t)}>
      {said === undefined ? null : <blockquote>{said}</blockquote>}
      <p>{t(`ticket.${state[entry.state]}`, { host })}</p>
      {entry.error === undefined ? null : <ErrorNote error={fromWireError(entry.error)} />}
      {error === undefined ? null : <ErrorNote error={error} />}
      {entry.state === 'sending' ? null : (
        <Button size="small" busy={isBusy} onClick={run}>
          {t('ticket.takeBack')}
        </Button>
      )}
    </Line>
  )
}

function Line({
  icon,
  tone = 'neutral',
  title,
  children,
}: {
  icon: ReactNode
  tone?: 'neutral' | 'ok' | 'warn'
  title: string
  children: ReactNode
}) {
  return (
    <div className={`${styles.outcome} ${styles[tone]}`} data-outcome>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <div className={styles.words}>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  )
}
