import { useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { HostView } from '../../shared/ipc/views.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import styles from './HostPage.module.css'

/** What this desk may do on a host, and how it gets to decide for the person. */
export function RoleSection({ host }: { host: HostView }) {
  const { t } = useText()
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [error, setError] = useState<AppError>()
  const isWs = /^wss?:/.test(host.address)
  const run = (work: Promise<unknown>, after?: () => void) => {
    setBusy(true)
    setError(undefined)
    work
      .then(
        () => after?.(),
        (reason: unknown) => setError(asAppError(reason)),
      )
      .finally(() => setBusy(false))
  }
  const words =
    host.role === 'user'
      ? t('hosts.roleUser')
      : host.role === 'reviewer'
        ? t('hosts.roleReviewer')
        : t('hosts.roleObserver')
  return (
    <div className={styles.section}>
      <h3>{t('hosts.role')}</h3>
      {host.role === undefined ? null : <p>{words}</p>}
      {host.role === 'reviewer' && !isWs ? (
        <>
          <p>{t('hosts.pairText')}</p>
          <div className={styles.row}>
            <Button look="primary" busy={busy} onClick={() => run(call('host.pair', { host: host.name }))}>
              {t('hosts.pair')}
            </Button>
          </div>
        </>
      ) : null}
      {isWs ? (
        <>
          <p>{t('hosts.tokenText')}</p>
          <div className={styles.row}>
            <input
              type="password"
              autoComplete="off"
              value={token}
              aria-label={t('hosts.token')}
              placeholder={t('hosts.token')}
              onChange={(event) => (setToken(event.target.value.trim()), setSaved(false))}
            />
            <Button
              busy={busy}
              disabled={token === ''}
              onClick={() =>
                run(call('host.token', { host: host.name, token }), () => (setToken(''), setSaved(true)))
              }
            >
              {t('hosts.tokenSet')}
            </Button>
            <Button
              look="quiet"
              busy={busy}
              onClick={() => run(call('host.token', { host: host.name, token: null }))}
            >
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
