import { reviewRoute } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { resultWords } from '../tasks/result-words.ts'
import { Button } from '../ui/Button.tsx'
import { visibleText } from '../../shared/domain/visible.ts'
import type { TicketView } from './TicketCard.tsx'
import styles from './TicketCard.module.css'

/** A round that ended: what the agent said of it, and the way to its changes. */
export function ReviewSummary({ view }: { view: TicketView }) {
  const { t } = useText()
  const { ticket, task, host } = view
  const result = resultWords(task, t)
  return (
    <>
      <div className={styles.summary}>
        {ticket.ask.text.trim() === '' ? t('ticket.noSummary') : visibleText(ticket.ask.text)}
      </div>
      {ticket.state !== 'open' || result.length === 0 ? null : (
        <p className={styles.result}>{result.join(' · ')}</p>
      )}
      {ticket.state === 'open' ? (
        <div className={styles.actions}>
          <Button look="primary" onClick={() => navigate(reviewRoute(host, task.id))}>
            {t('ticket.reviewChanges')}
          </Button>
        </div>
      ) : null}
    </>
  )
}
