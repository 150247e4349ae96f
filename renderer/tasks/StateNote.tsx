import type { IpcOutput } from '../../shared/ipc.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { reviewRoute, ticketRoute } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { askedWords } from '../ticket/ticket-words.ts'
import { Button } from '../ui/Button.tsx'
import styles from './StateNote.module.css'

function Asked({ ask }: { ask: Ticket['ask'] }) {
  const { t } = useText()
  const [line = ''] = visibleText(ask.text).split('\n')
  if (ask.kind === 'permission' && ask.action !== 'edit') return <code>{line}</code>
  return <span>{ask.kind === 'permission' ? askedWords(ask.action, line, t) : line}</span>
}

/** What the task waits for or ended with, and the way to it. */
export function StateNote({ host, detail }: { host: string; detail: IpcOutput<'task.get'> }) {
  const { t } = useText()
  const { task, tickets } = detail
  const waiting = tickets.filter((ticket) => ticket.state === 'open' && ticket.ask.kind !== 'review')
  if (task.state === 'waiting_review')
    return (
      <div className={styles.note}>
        <p>{visibleText(task.summary ?? '')}</p>
        <Button look="primary" onClick={() => navigate(reviewRoute(host, task.id))}>
          {t('tasks.openReview')}
        </Button>
      </div>
    )
  if (waiting.length > 0)
    return (
      <div className={styles.note}>
        {waiting.slice(0, 3).map((ticket) => (
          <div key={ticket.id} className={styles.ticket}>
            <Asked ask={ticket.ask} />
            <Button size="small" onClick={() => navigate(ticketRoute(host, ticket))}>
              {t('tasks.openTicket')}
            </Button>
          </div>
        ))}
      </div>
    )
  if ((task.state === 'failed' || task.state === 'cancelled') && task.endReason !== undefined)
    return (
      <div className={`${styles.note} ${task.state === 'failed' ? styles.bad : ''}`}>
        <p>{visibleText(task.endReason)}</p>
      </div>
    )
  return null
}
