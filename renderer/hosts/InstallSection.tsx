import { useState } from 'react'
import type { HostView } from '../../shared/ipc/views.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import styles from './HostPage.module.css'
import { InstallSteps } from './InstallSteps.tsx'
import { useInstall } from './use-install.ts'

/** Bringing Handoff to a host over ssh, upgrading it, and taking it away again. */
export function InstallSection({ host }: { host: HostView }) {
  const { t } = useText()
  const install = useInstall(host.name)
  const [isAsking, setAsking] = useState(false)
  const [withOpenTasks, setWithOpenTasks] = useState(false)
  return (
    <div className={styles.section}>
      <h3>{t('hosts.install')}</h3>
      <p>{t('hosts.installText')}</p>
      {install.steps.length === 0 ? null : (
        <InstallSteps
          steps={install.steps}
          onAgain={install.isRunning ? undefined : (from) => install.install(host.name, from)}
        />
      )}
      {install.error === undefined ? null : <ErrorNote error={install.error} />}
      <div className={styles.row}>
        <Button busy={install.isRunning} onClick={() => install.install(host.name)}>
          {t('hosts.installRun')}
        </Button>
        {install.isRunning ? (
          <Button onClick={install.stop}>{t('hosts.addStop')}</Button>
        ) : (
          <Button look="danger" onClick={() => setAsking(true)}>
            {t('hosts.undo')}
          </Button>
        )}
      </div>
      {isAsking ? (
        <Dialog
          title={t('hosts.undoTitle', { host: host.name })}
          width={460}
          onClose={() => setAsking(false)}
          footer={
            <>
              <span style={{ flex: 1 }} />
              <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
              <Button
                look="danger"
                onClick={() => (setAsking(false), install.uninstall(host.name, withOpenTasks))}
              >
                {t('hosts.undoYes')}
              </Button>
            </>
          }
        >
          <div style={{ padding: '14px 16px', display: 'grid', gap: 10 }}>
            <p>{t('hosts.undoText')}</p>
            {host.openTasks === 0 ? null : (
              <label>
                <input
                  type="checkbox"
                  checked={withOpenTasks}
                  onChange={(event) => setWithOpenTasks(event.target.checked)}
                />{' '}
                {t('hosts.undoOpen')} ({t('hosts.openTasks', { count: host.openTasks })})
              </label>
            )}
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}
