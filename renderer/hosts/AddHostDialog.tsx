import { useId, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError, useCall } from '../bridge/use-call.ts'
import { navigate, routeTo } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { addressOf, nameOf } from './address-words.ts'
import styles from './AddHostDialog.module.css'
import { InstallSteps } from './InstallSteps.tsx'
import { useInstall } from './use-install.ts'

/** Adds a host, and brings Handoff there when asked; every step is shown and can be run again. */
export function AddHostDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const [where, setWhere] = useState('')
  const [ownName, setOwnName] = useState<string>()
  const [token, setToken] = useState('')
  const [sshConfig, setSshConfig] = useState('')
  const [wantsInstall, setWantsInstall] = useState(true)
  const [added, setAdded] = useState<string>()
  const [error, setError] = useState<AppError>()
  const [busy, setBusy] = useState(false)
  const install = useInstall()
  const { data: suggested } = useCall('host.suggest', {})
  const ids = { where: useId(), name: useId(), token: useId(), list: useId(), config: useId() }
  const address = addressOf(where)
  const name = ownName ?? nameOf(where)
  const isSsh = address.startsWith('ssh://')
  const finish = (host: string) => (onClose(), navigate(routeTo('hosts', host)))
  const go = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await call('host.add', {
        name,
        address,
        ...(token === '' ? {} : { token }),
        ...(sshConfig === '' ? {} : { sshConfig }),
      })
      setAdded(name)
      if (!isSsh || !wantsInstall || (await install.install(name))) finish(name)
    } catch (reason) {
      setError(asAppError(reason))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={added ?? t('hosts.addTitle')}
      note={added === undefined ? undefined : address}
      width={520}
      onClose={() => (install.isRunning ? install.stop() : onClose())}
      footer={
        <>
          <span className={styles.note} role="status">
            {install.isRunning ? t('hosts.addWorking') : ''}
          </span>
          {install.isRunning ? <Button onClick={install.stop}>{t('hosts.addStop')}</Button> : null}
          {added === undefined ? (
            <Button
              look="primary"
              busy={busy}
              disabled={where.trim() === '' || name === ''}
              onClick={() => void go()}
            >
              {t('hosts.addGo')}
            </Button>
          ) : (
            <Button look="primary" disabled={install.isRunning} onClick={() => finish(added)}>
              {t('hosts.addDone')}
            </Button>
          )}
        </>
      }
    >
      {added === undefined ? (
        <div className={styles.form}>
          <label htmlFor={ids.where}>{t('hosts.addWhere')}</label>
          <input
            id={ids.where}
            autoFocus
            value={where}
            list={ids.list}
            placeholder={t('hosts.addWhereHint')}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setWhere(event.target.value)}
          />
          <datalist id={ids.list}>
            {suggested?.names.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <p>{t('hosts.addNote')}</p>
          <label htmlFor={ids.name}>{t('hosts.addName')}</label>
          <input
            id={ids.name}
            value={name}
            maxLength={63}
            onChange={(event) => setOwnName(event.target.value)}
          />
          {isSsh ? (
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={wantsInstall}
                onChange={(event) => setWantsInstall(event.target.checked)}
              />
              <span>
                {t('hosts.addInstall')}
                <small>{t('hosts.addInstallNote')}</small>
              </span>
            </label>
          ) : (
            <>
              <label htmlFor={ids.token}>{t('hosts.addToken')}</label>
              <input
                id={ids.token}
                type="password"
                autoComplete="off"
                value={token}
                onChange={(event) => setToken(event.target.value.trim())}
              />
              <p>{t('hosts.tokenText')}</p>
            </>
          )}
          {isSsh ? (
            <details>
              <summary>{t('hosts.addMore')}</summary>
              <label htmlFor={ids.config}>{t('hosts.addConfig')}</label>
              <input
                id={ids.config}
                value={sshConfig}
                onChange={(event) => setSshConfig(event.target.value)}
              />
            </details>
          ) : null}
        </div>
      ) : (
        <div className={styles.steps}>
          <InstallSteps
            steps={install.steps}
            onAgain={
              install.isRunning
                ? undefined
                : (from) => void install.install(added, from).then((ok) => ok && finish(added))
            }
          />
        </div>
      )}
      {error === undefined && install.error === undefined ? null : (
        <ErrorNote error={(error ?? install.error) as AppError} />
      )}
    </Dialog>
  )
}
