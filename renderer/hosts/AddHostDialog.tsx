import { useId, useState } from 'react'
import { routeTo } from '../../shared/ipc/routes.ts'
import { call } from '../bridge/bridge.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useAction } from '../ui/use-action.ts'
import { useShortcut } from '../ui/shortcuts.ts'
import { AddHostForm, type HostDraft } from './AddHostForm.tsx'
import { addressOf, nameOf } from './address-words.ts'
import styles from './AddHostDialog.module.css'
import { InstallSteps } from './InstallSteps.tsx'
import { useInstall } from './use-install.ts'

const EMPTY: HostDraft = { where: '', name: undefined, token: '', sshConfig: '', wantsInstall: true }

/** Adds a host, and brings Handoff there when asked; every step is shown and can be run again. */
export function AddHostDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const [draft, setDraft] = useState(EMPTY)
  const [added, setAdded] = useState<string>()
  const [mistaken, setMistaken] = useState<string>()
  const formId = useId()
  const address = addressOf(draft.where)
  const name = draft.name ?? nameOf(draft.where)
  const finish = (host: string) => {
    onClose()
    navigate(routeTo('hosts', host))
  }
  const install = useInstall(added, finish)
  const add = useAction(async () => {
    const { token, sshConfig, wantsInstall } = draft
    // First, since the corrected one may have the same name.
    if (mistaken !== undefined) await call('host.remove', { host: mistaken })
    setMistaken(undefined)
    await call('host.add', {
      name,
      address,
      ...(token === '' ? {} : { token }),
      ...(sshConfig === '' ? {} : { sshConfig }),
    })
    setAdded(name)
    if (address.startsWith('ssh://') && wantsInstall) install.install(name)
    else finish(name)
  })
  const canAdd = added === undefined && name !== '' && !add.isBusy
  const go = canAdd ? () => add.run() : undefined
  useShortcut('mod+enter', go)
  const change = () => {
    setMistaken(added)
    setAdded(undefined)
  }
  const isUnreached =
    !install.isRunning && install.steps.some(({ id, state }) => id === 'reach' && state === 'failed')
  const problem = add.error ?? (added === undefined ? undefined : install.error)
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
            <>
              <Button onClick={onClose}>{t('common.cancel')}</Button>
              <Button type="submit" form={formId} look="primary" busy={add.isBusy} disabled={name === ''}>
                {t('hosts.addGo')}
              </Button>
            </>
          ) : (
            <>
              {isUnreached ? (
                <Button look="primary" onClick={change}>
                  {t('hosts.addChange')}
                </Button>
              ) : null}
              <Button
                look={isUnreached ? 'plain' : 'primary'}
                disabled={install.isRunning}
                onClick={() => finish(added)}
              >
                {t('hosts.addDone')}
              </Button>
            </>
          )}
        </>
      }
    >
      {added === undefined ? (
        <AddHostForm
          id={formId}
          draft={draft}
          set={(part) => setDraft((before) => ({ ...before, ...part }))}
          onSubmit={go}
        />
      ) : (
        <div className={styles.steps}>
          <InstallSteps
            steps={install.steps}
            onAgain={install.isRunning ? undefined : (from) => install.install(added, from)}
          />
        </div>
      )}
      {problem === undefined ? null : <ErrorNote error={problem} />}
    </Dialog>
  )
}
