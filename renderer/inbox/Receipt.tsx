import { X } from 'lucide-react'
import { useEffect } from 'react'
import { useHostLabel } from '../app/host-words.ts'
import { navigate } from '../app/navigation.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import type { IpcOutput } from '../../shared/ipc.ts'
import { taskIdOf } from '../../shared/domain/ticket-id.ts'
import { answerWords } from '../ticket/ticket-words.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { visibleLine } from '../../shared/domain/visible.ts'
import styles from './Receipt.module.css'
import { routeOfPlace, type InboxPlace } from './selection.ts'

const SHOWN_MS = 8_000

/** What became of the decision before this one. It goes by itself once the agent has the answer. */
export function Receipt({ place, onDone }: { place: InboxPlace; onDone: () => void }) {
  const { t, language } = useText()
  const host = useHostLabel(place.host)
  const taskId = taskIdOf(place.id)
  const at = { host: place.host, ticketId: place.id }
  const { data } = useCall('ticket.get', at, { refreshOn: touches(place.host, taskId) })
  const isDelivered = data?.ticket.state === 'delivered'
  useEffect(() => {
    if (!isDelivered) return
    const timer = setTimeout(onDone, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isDelivered, onDone])
  if (data === undefined) return null
  return (
    <div className={styles.receipt}>
      <span className={styles.words}>
        {wordsOf(data, host, t).join(language === 'zh' ? '' : ' ')}
        <code>{visibleLine(data.ticket.ask.text.slice(0, 200))}</code>
      </span>
      <Button size="small" look="quiet" onClick={() => navigate(routeOfPlace(place))}>
        {t('inbox.receiptShow')}
      </Button>
      <IconButton label={t('app.dismiss')} onClick={onDone}>
        <X size={13} />
      </IconButton>
    </div>
  )
}

/** Sentences; Chinese has no space between them. */
function wordsOf({ ticket, outbox }: IpcOutput<'ticket.get'>, host: string, t: Translate): string[] {
  if (ticket.state === 'expired') return [t('ticket.expired')]
  if (ticket.answer !== undefined && ticket.answeredBy !== undefined)
    return [
      answerWords(ticket.answer, ticket.answeredBy, t),
      ...(ticket.state === 'open' ? [] : [t(`ticket.after.${ticket.state}`, { host })]),
    ]
  if (outbox !== undefined) return [answerWords(outbox.answer, 'me', t), t('ticket.queued', { host })]
  return [t('ticket.sending')]
}
