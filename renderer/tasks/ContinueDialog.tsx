import { useState } from 'react'
import type { Task } from '../../shared/domain/task.ts'
import type { AppError } from '../../shared/errors.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import styles from './ContinueDialog.module.css'

/** An instruction to the same session, without comments on lines. A host that is away gets it later. */
export function ContinueDialog({ host, task, onClose }: { host: string; task: Task; onClose: () => void }) {
  const { t } = useText()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [isQueued, setQueued] = useState(false)
  const [error, setError] = useState<AppError>()
  const canSend = text.trim() !== '' && !busy && !isQueued
  const send = () => {
    setBusy(true)
    setError(undefined)
    call('task.continue', { host, taskId: task.id, text })
      .then(
        ({ kind }) => (kind === 'sent' ? onClose() : setQueued(true)),
        (reason: unknown) => setError(asAppError(reason)),
      )
      .finally(() => setBusy(false))
  }
  useShortcut('mod+enter', canSend ? send : undefined)
  return (
    <Dialog
      title={t('tasks.continueTitle')}
      width={560}
      onClose={onClose}
      footer={
        <>
          <span className={styles.note} role="status">
            {isQueued ? t('tasks.continueQueued', { host }) : ''}
          </span>
          <Button onClick={onClose}>{isQueued ? t('common.close') : t('common.cancel')}</Button>
          <Button look="primary" shortcut="mod+enter" busy={busy} disabled={!canSend} onClick={send}>
            {t('tasks.continueSend')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{t('tasks.continueText')}</p>
        <textarea
          autoFocus
          rows={6}
          value={text}
          maxLength={200_000}
          aria-label={t('tasks.continueField')}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {error === undefined ? null : <ErrorNote error={error} />}
    </Dialog>
  )
}
