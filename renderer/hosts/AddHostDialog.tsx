import { useText } from '../i18n/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Adds a host. */
export function AddHostDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  return (
    <Dialog title={t('palette.addHost')} onClose={onClose}>
      {null}
    </Dialog>
  )
}
