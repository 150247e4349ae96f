import { useState } from 'react'
import type { HostState, HostView } from '../../shared/ipc/views.ts'
import { call } from '../bridge/bridge.ts'
import { hostLabel, hostTone } from '../app/host-words.ts'
import { routeTo } from '../../shared/ipc/routes.ts'
import { currentRoute, navigate } from '../app/navigation.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Crumb, Pane, PaneBar } from '../ui/Pane.tsx'
import { Dot } from '../ui/Tag.tsx'
import { fullTime } from '../ui/time.ts'
import { useAction } from '../ui/use-action.ts'
import { HostFacts } from './HostFacts.tsx'
import styles from './HostPage.module.css'
import { InstallSection } from './InstallSection.tsx'
import { RoleSection } from './RoleSection.tsx'

/** One host: how it is doing, what it has, and what can be done about it. */
export function HostPage({ host }: { host: HostView }) {
  const { t, language } = useText()
  const retry = useAction(() => call('host.wake', { host: host.name }))
  const [isRemoving, setRemoving] = useState(false)
  const { state } = host
  const problem = 'error' in state ? state.error : undefined
  return (
    <Pane aria-label={hostLabel(host, t)}>
      <PaneBar className={styles.bar}>
        <Dot tone={hostTone(state)} />
        <h2>{hostLabel(host, t)}</h2>
        <Crumb className={styles.crumb}>{host.address}</Crumb>
        {state.kind === 'offline' || state.kind === 'refused' || state.kind === 'version' ? (
          <Button onClick={() => retry.run()}>{t('hosts.retry')}</Button>
        ) : null}
      </PaneBar>
      <div className={styles.body}>
        <p className={styles.state} role="status">
          {stateSentence(state, t, language)}
        </p>
        {problem === undefined ? null : <ErrorNote error={problem} />}
        {retry.error === undefined ? null : <ErrorNote error={retry.error} />}
        <RoleSection host={host} />
        {host.address.startsWith('ssh://') ? <InstallSection host={host} /> : null}
        <HostFacts host={host} />
        {host.isLocal ? null : (
          <div className={styles.end}>
            <Button look="danger" onClick={() => setRemoving(true)}>
              {t('hosts.remove')}
            </Button>
          </div>
        )}
      </div>
      {isRemoving ? <RemoveDialog host={host} onClose={() => setRemoving(false)} /> : null}
    </Pane>
  )
}

function stateSentence(state: HostState, t: Translate, language: string): string {
  switch (state.kind) {
    case 'catching_up':
      return state.received === undefined
        ? t('hosts.state.catching_up', { count: state.behind })
        : t('hosts.state.receiving', { count: state.received })
    case 'offline':
      return t('hosts.state.offline', { time: fullTime(state.since, language) })
    case 'version':
      return t(`hosts.state.version_${state.which}`)
    case 'starting':
    case 'connecting':
    case 'live':
    case 'refused':
      return t(`hosts.state.${state.kind}`)
  }
}

function RemoveDialog({ host, onClose }: { host: HostView; onClose: () => void }) {
  const { t } = useText()
  const remove = useAction(async () => {
    await call('host.remove', { host: host.name })
    onClose()
    leaveHost(host.name)
  })
  return (
    <Dialog
      title={t('hosts.removeTitle', { host: host.name })}
      width={440}
      onClose={onClose}
      footer={
        <>
          <span style={{ flex: 1 }} />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="danger" busy={remove.isBusy} onClick={() => remove.run()}>
            {t('hosts.removeYes')}
          </Button>
        </>
      }
    >
      <p style={{ padding: '14px 16px' }}>{t('hosts.removeText')}</p>
      {remove.error === undefined ? null : <ErrorNote error={remove.error} />}
    </Dialog>
  )
}

/** The page of a host that is gone leads back to the list; a person who has gone elsewhere meanwhile stays there. */
function leaveHost(name: string): void {
  if (currentRoute() === routeTo('hosts', name)) navigate('/hosts')
}
