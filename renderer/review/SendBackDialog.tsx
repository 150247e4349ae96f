import type { Task } from '../../shared/domain/task.ts'
import { taskRoute } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { InstructionDialog } from '../tasks/InstructionDialog.tsx'

/** The instruction as the agent will get it, to be changed and sent. */
export function SendBackDialog({
  host,
  task,
  text,
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
  const sent = (kind: 'sent' | 'queued') => {
    onSent()
    if (kind === 'queued') return
    onClose()
    navigate(taskRoute(host, task.id))
  }
  return (
    <InstructionDialog
      isPlain
      host={host}
      task={task}
      text={text}
      words={{
        title: t('review.previewTitle'),
        note: t('review.previewNote'),
        field: t('review.previewField'),
        send: t('review.send'),
      }}
      onSent={sent}
      onClose={onClose}
    />
  )
}
