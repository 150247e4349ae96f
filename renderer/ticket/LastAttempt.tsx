import { eventSchema, type Event } from '../../shared/domain/event.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import type { TicketView } from './TicketCard.tsx'

/** Why an answer could not be delivered yet, from the task's events. */
export function LastAttempt({ view: { host, ticket } }: { view: TicketView }) {
  const { t } = useText()
  const { data } = useCall(
    'task.get',
    { host, taskId: ticket.taskId },
    { refreshOn: touches(host, ticket.taskId) },
  )
  const last = data?.events
    .map((event) => eventSchema.safeParse(event).data as Event | undefined)
    .findLast((event) => event?.type === 'delivery_failed' && event.body.ticketId === ticket.id)
  if (last?.type !== 'delivery_failed') return null
  return (
    <p>{t('ticket.after.attempt', { count: last.body.attempt, text: visibleText(last.body.message) })}</p>
  )
}
