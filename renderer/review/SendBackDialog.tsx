import { useState } from 'react'
import type { Task } from '../../shared/domain/task.ts'
import type { AppError } from '../../shared/errors.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { navigate, routeTo } from '../app/navigation.ts'
import { hostLabel } from '../app/host-words.ts'
import { useHost } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import styles from './Review.module.css'

/** The instruction as the agent will get it, to be changed and sent. */
export function SendBackDialog({
  host,
  task,
  text: compiled,
  onSent,
  onClose,
}: {
  host: string
  task: Task
  text: string
  onSent: () => void
  onClose: () => void
}) {
  const { t } = useText()
  const view = useHost(host)
  const place = view === undefined ? host : hostLabel(view, t)
  const [text, setText] = useState(compiled)
  const [busy, setBusy] = useState(false)
  const [isQueued, setQueued] = useState(false)
  const [error, setError] = useState<AppError>()
  const canSend = text.trim() !== '' && !busy && !isQueued
  const send = () => {
    setBusy(true)
    setError(undefined)
    call('task.continue', { host, taskId: task.id, text })
      .then(
        ({ kind }) => {
          onSent()
          if (kind === 'queued') return setQueued(true)
          onClose()
          navigate(routeTo('tasks', host, task.id))
        },
        (reason: unknown) => setError(asAppError(reason)),
      )
      .finally(() => setBusy(false))
  }
  useShortcut('mod+enter', canSend ? send : undefined)
  return (
    <Dialog
      title={t('review.previewTitle')}
      width={680}
      onClose={onClose}
      footer={
        <>
          <span style={{ flex: 1 }} role="status">
            {isQueued ? t('review.queued', { host: place }) : ''}
          </span>
          <Button onClick={onClose}>{isQueued ? t('common.close') : t('common.cancel')}</Button>
          <Button look="primary" shortcut="mod+enter" busy={busy} disabled={!canSend} onClick={send}>
            {t('review.send')}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p>{t('review.previewNote')}</p>
        <textarea
          autoFocus
          value={text}
          maxLength={200_000}
          aria-label={t('review.previewField')}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {error === undefined ? null : <ErrorNote error={error} />}
    </Dialog>
  )
}
