import { useState } from 'react'
import type { HostView } from '../../shared/ipc/views.ts'
import { call } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { Coded } from '../ui/Coded.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useAction } from '../ui/use-action.ts'
import { TextField } from '../ui/Fields.tsx'
import { isReadableOnTheWay } from './address-words.ts'
import styles from './HostPage.module.css'

/** What this desk may do on a host, and how it gets to decide for the person. */
export function RoleSection({ host }: { host: HostView }) {
  const { t } = useText()
  const [token, setToken] = useState('')
  const [isSaved, setSaved] = useState(false)
  const isWs = /^wss?:/.test(host.address)
  const { run, isBusy, error } = useAction((work: () => Promise<unknown>) => work())
  const giveToken = async (given: string | null) => {
    await call('host.token', { host: host.name, token: given })
    setToken('')
    setSaved(given !== null)
  }
  const words =
    host.role === 'user'
      ? t('hosts.roleUser')
      : host.role === 'reviewer'
        ? t('hosts.roleReviewer')
        : t('hosts.roleObserver')
  // To a host that speaks another protocol no token is of use, and of one that is not heard yet nothing is known.
  if (host.state.kind === 'version' || (host.role === undefined && !isWs)) return null
  return (
    <div className={styles.section}>
      <h3>{t('hosts.role')}</h3>
      {host.role === undefined ? null : <p>{words}</p>}
      {host.role === 'reviewer' && !isWs ? (
        <>
          <p>{t('hosts.pairText')}</p>
          <div className={styles.row}>
            <Button
              look="primary"
              busy={isBusy}
              onClick={() => run(() => call('host.pair', { host: host.name }))}
            >
              {t('hosts.pair')}
            </Button>
          </div>
        </>
      ) : null}
      {isWs ? (
        <>
          <p>
            <Coded text={t('hosts.tokenText')} />
          </p>
          {isReadableOnTheWay(host.address) ? <p>{t('hosts.readable')}</p> : null}
          <div className={styles.row}>
            <TextField
              type="password"
              autoComplete="off"
              value={token}
              aria-label={t('hosts.token')}
              placeholder={t('hosts.token')}
              onChange={(event) => (setToken(event.target.value.trim()), setSaved(false))}
            />
            <Button busy={isBusy} disabled={token === ''} onClick={() => run(() => giveToken(token))}>
              {t('hosts.tokenSet')}
            </Button>
            <Button look="quiet" busy={isBusy} onClick={() => run(() => giveToken(null))}>
              {t('hosts.tokenForget')}
            </Button>
          </div>
          {isSaved ? <p role="status">{t('hosts.tokenSaved')}</p> : null}
        </>
      ) : null}
      {error === undefined ? null : <ErrorNote error={error} />}
    </div>
  )
}
