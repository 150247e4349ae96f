import { useState } from 'react'
import { routeTo } from '../../shared/ipc/routes.ts'
import { navigate, useRoute } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { fullTime, shortTime } from '../ui/time.ts'
import type { EventLine } from './event-words.ts'
import styles from './EventRow.module.css'

const LONG = 600

/** One event of the timeline. */
export function EventRow({
  host,
  at,
  line,
  onPlan,
}: {
  host: string
  at: number
  line: EventLine
  onPlan: () => void
}) {
  const { t, language } = useText()
  const [isWhole, setWhole] = useState(false)
  const { ticketId, detail } = line
  // Below the open ticket there is no way to itself.
  const ticket = ticketId === undefined ? undefined : routeTo('inbox', host, ticketId)
  const isHere = useRoute() === ticket
  const isLong = detail !== undefined && detail.length > LONG
  return (
    <div className={`${styles.event} ${styles[line.tone]} ${styles[line.weight]}`}>
      <time title={fullTime(at, language)}>{shortTime(at, language)}</time>
      <span className={styles.bullet} aria-hidden="true" />
      <div className={styles.words}>
        <p className={line.isMono === true && detail === undefined ? styles.mono : ''}>
          {line.sentence}
          {line.failure === undefined ? null : <span className={styles.failure}> {line.failure}</span>}
        </p>
        {detail === undefined || detail === '' ? null : (
          <p className={`${styles.detail} ${line.isMono === true ? styles.mono : ''}`}>
            {isLong && !isWhole ? `${detail.slice(0, LONG)}…` : detail}
          </p>
        )}
        {isLong && !isWhole ? (
          <Button size="small" look="quiet" className={styles.more} onClick={() => setWhole(true)}>
            {t('common.more')}
          </Button>
        ) : null}
      </div>
      {line.isPlan === true ? (
        <Button size="small" look="quiet" className={styles.open} onClick={onPlan}>
          {t('tasks.openPlan')}
        </Button>
      ) : null}
      {ticket === undefined || isHere ? null : (
        <Button size="small" look="quiet" className={styles.open} onClick={() => navigate(ticket)}>
          {t('tasks.openTicket')}
        </Button>
      )}
    </div>
  )
}
