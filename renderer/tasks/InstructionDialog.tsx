import { useState, type ReactNode } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import type { Task } from '../../shared/domain/task.ts'
import { useHostLabel } from '../app/host-words.ts'
import { call } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { useAction } from '../ui/use-action.ts'
import styles from './InstructionDialog.module.css'

/** What an instruction dialog is called, in the person's language. */
interface Words {
  title: string
  note: string
  field: string
  send: string
}

/** Writes an instruction to a task's session and sends it. A host that is away gets it later, which the dialog says. */
export function InstructionDialog({
  host,
  task,
  words,
  text: first = '',
  isPlain = false,
  onSent,
  onClose,
}: {
  host: string
  task: Task
  words: Words
  text?: string
  /** Shown as code, since it was put together and quotes lines. */
  isPlain?: boolean
  onSent: (kind: 'sent' | 'queued') => void
  onClose: () => void
}) {
  const { t } = useText()
  const place = useHostLabel(host)
  const [text, setText] = useState(first)
  const [isQueued, setQueued] = useState(false)
  // The task goes on behind the dialog; what was read before it was opened is what is decided on.
  const [round] = useState(task.round)
  const send = useAction(async () => {
    const { kind } = await call('task.continue', { host, taskId: task.id, text, round })
    setQueued(kind === 'queued')
    onSent(kind)
  })
  const canSend = text.trim() !== '' && !send.isBusy && !isQueued
  useShortcut('mod+enter', canSend ? () => send.run() : undefined)
  const footer: ReactNode = (
    <>
      <span className={styles.note} role="status">
        {isQueued ? t('tasks.continueQueued', { host: place }) : ''}
      </span>
      <Button onClick={onClose}>{isQueued ? t('common.close') : t('common.cancel')}</Button>
      <Button
        look="primary"
        shortcut="mod+enter"
        busy={send.isBusy}
        disabled={!canSend}
        onClick={() => send.run()}
      >
        {words.send}
      </Button>
    </>
  )
  return (
    <Dialog title={words.title} width={isPlain ? 680 : 560} onClose={onClose} footer={footer}>
      <div className={styles.body}>
        <p>{words.note}</p>
        <textarea
          autoFocus
          rows={isPlain ? 14 : 6}
          className={isPlain ? styles.plain : ''}
          value={text}
          maxLength={textLimits.instruction}
          aria-label={words.field}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {send.error === undefined ? null : <ErrorNote error={send.error} />}
    </Dialog>
  )
}
