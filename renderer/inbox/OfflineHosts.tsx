import { hostLabel } from '../app/host-words.ts'
import { useHosts } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { clockTime, useNow } from '../ui/time.ts'
import styles from './OfflineHosts.module.css'

/** Says of hosts that are away that what is shown of them is from before. */
export function OfflineHosts({ only }: { only: string | undefined }) {
  const { t, language } = useText()
  const hosts = useHosts()
  const now = useNow()
  const away = hosts.flatMap((host) => {
    const { state } = host
    if (state.kind !== 'offline' && state.kind !== 'refused' && state.kind !== 'version') return []
    const hasSomething = host.openTasks > 0 || host.needsYou > 0
    const isShown = hasSomething && (only === undefined || only === host.name)
    return isShown ? [{ label: hostLabel(host, t), since: state.since }] : []
  })
  const [first] = away
  if (first === undefined) return null
  return (
    <p className={styles.line}>
      {away.length === 1
        ? t('inbox.asOf', { host: first.label, time: clockTime(first.since, now, language) })
        : t('inbox.asOfMany', { count: away.length })}
    </p>
  )
}
