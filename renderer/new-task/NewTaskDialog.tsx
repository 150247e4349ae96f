import { useText } from '../i18n/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Hands a plan to an executor. */
export function NewTaskDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  return (
    <Dialog title={t('app.newTask')} onClose={onClose}>
      {null}
    </Dialog>
  )
}
