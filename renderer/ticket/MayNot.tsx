import { routeTo } from '../../shared/ipc/routes.ts'
import { useHostLabel } from '../app/host-words.ts'
import { navigate } from '../app/navigation.ts'
import { call } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useAction } from '../ui/use-action.ts'
import styles from './TicketCard.module.css'

/** Why this desk may not answer, and the way out. */
export function MayNot({
  host: name,
  whyNot,
  onPaired,
}: {
  host: string
  whyNot: 'observer' | 'needs_pairing'
  onPaired: () => void
}) {
  const { t } = useText()
  const host = useHostLabel(name)
  const pair = useAction(() => call('host.pair', { host: name }).then(onPaired))
  return (
    <div className={styles.panel}>
      <p>{t(whyNot === 'observer' ? 'ticket.observer' : 'ticket.needsPairing', { host })}</p>
      {pair.error === undefined ? null : <ErrorNote error={pair.error} onRetry={pair.run} />}
      <div>
        {whyNot === 'observer' ? (
          <Button onClick={() => navigate(routeTo('hosts', name))}>{t('ticket.openHosts')}</Button>
        ) : (
          <Button look="primary" busy={pair.isBusy} onClick={pair.run}>
            {t('ticket.pair', { host })}
          </Button>
        )}
      </div>
    </div>
  )
}
