import type { HostView } from '../../shared/ipc/views.ts'
import { routeTo } from '../../shared/ipc/routes.ts'
import { useText } from '../i18n/i18n.ts'
import { Dot } from '../ui/Tag.tsx'
import { useSecondsUntil } from '../ui/use-seconds-until.ts'
import styles from './HostLine.module.css'
import { hostLabel, hostTone, useHostState } from './host-words.ts'
import { navigate } from './navigation.ts'

/** A host in the sidebar: its name, and a word when it is not live. */
export function HostLine({ host }: { host: HostView }) {
  const { t } = useText()
  const { state } = host
  const words = useHostState(state)
  const retry = useSecondsUntil(state.kind === 'offline' ? state.retryAt : undefined)
  const note =
    state.kind === 'live'
      ? undefined
      : retry === undefined
        ? words
        : t('app.hostState.retry', { seconds: retry })
  return (
    <li>
      <button
        type="button"
        className={styles.line}
        onClick={() => navigate(routeTo('hosts', host.name))}
        title={`${hostLabel(host, t)}: ${words}`}
      >
        <Dot tone={hostTone(state)} label={words} />
        <span className={styles.name}>{hostLabel(host, t)}</span>
        {note === undefined ? null : <small>{note}</small>}
      </button>
    </li>
  )
}
