import type { Task } from '../../shared/domain/task.ts'
import { useText } from '../i18n/i18n.ts'
import { InstructionDialog } from './InstructionDialog.tsx'

/** An instruction to the same session, without comments on lines. */
export function ContinueDialog({ host, task, onClose }: { host: string; task: Task; onClose: () => void }) {
  const { t } = useText()
  return (
    <InstructionDialog
      host={host}
      task={task}
      words={{
        title: t('tasks.continueTitle'),
        note: t('tasks.continueText'),
        field: t('tasks.continueField'),
        send: t('tasks.continueSend'),
      }}
      onSent={(kind) => kind === 'sent' && onClose()}
      onClose={onClose}
    />
  )
}
