import { Plus } from 'lucide-react'
import { hostLabel, hostTone, useHostState } from '../app/host-words.ts'
import { navigate } from '../app/navigation.ts'
import { useHosts } from '../bridge/desk-store.ts'
import type { HostView } from '../../shared/ipc/views.ts'
import { routeTo } from '../../shared/ipc/routes.ts'
import { useText } from '../i18n/i18n.ts'
import { setOverlay } from '../palette/open.ts'
import { IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PaneBar } from '../ui/Pane.tsx'
import { Dot } from '../ui/Tag.tsx'
import { HostPage } from './HostPage.tsx'
import styles from './HostsScreen.module.css'

/** The hosts, and how the chosen one is doing. */
export function HostsScreen({ parts }: { parts: string[] }) {
  const { t } = useText()
  const hosts = useHosts()
  const chosen = hosts.find((host) => host.name === parts[0]) ?? (hosts.length === 1 ? hosts[0] : undefined)
  return (
    <div className={styles.screen}>
      <section className={styles.list} aria-label={t('hosts.title')}>
        <PaneBar className={styles.bar}>
          <h1>{t('hosts.title')}</h1>
          <IconButton label={t('hosts.add')} onClick={() => setOverlay('add_host')}>
            <Plus size={16} />
          </IconButton>
        </PaneBar>
        <ul>
          {hosts.map((host) => (
            <HostRow key={host.name} host={host} isCurrent={host.name === chosen?.name} />
          ))}
        </ul>
      </section>
      {chosen === undefined ? (
        <Empty title={t('hosts.choose')}>{t('hosts.chooseText')}</Empty>
      ) : (
        <HostPage key={chosen.name} host={chosen} />
      )}
    </div>
  )
}

function HostRow({ host, isCurrent }: { host: HostView; isCurrent: boolean }) {
  const { t } = useText()
  const state = useHostState(host.state)
  return (
    <li>
      <button
        type="button"
        className={`${styles.row} ${isCurrent ? styles.on : ''}`}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => navigate(routeTo('hosts', host.name))}
      >
        <Dot tone={hostTone(host.state)} />
        <span className={styles.name}>{hostLabel(host, t)}</span>
        <small>{state}</small>
        <span className={styles.meta}>
          {[
            host.openTasks === 0 ? t('hosts.noTasks') : t('hosts.openTasks', { count: host.openTasks }),
            host.needsYou > 0 ? t('hosts.needsYou', { count: host.needsYou }) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
    </li>
  )
}
