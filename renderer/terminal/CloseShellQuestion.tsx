import { visibleLine } from '../../shared/domain/visible.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { BusyShell } from './use-shells.ts'
import styles from './terminal.module.css'

/** Asks before a program that runs in a shell is ended with it. */
export function CloseShellQuestion({
  shell: { window, program },
  onAnswer,
}: {
  shell: BusyShell
  onAnswer: (close: boolean) => void
}) {
  const { t } = useText()
  return (
    <Dialog
      title={t('terminal.shell.busy.title', { number: window.name })}
      onClose={() => onAnswer(false)}
      width={440}
      footer={
        <>
          <span style={{ flex: 1 }} />
          <Button onClick={() => onAnswer(false)}>{t('common.cancel')}</Button>
          <Button look="danger" onClick={() => onAnswer(true)}>
            {t('terminal.shell.busy.do')}
          </Button>
        </>
      }
    >
      <p className={styles.question}>{t('terminal.shell.busy.why', { program: visibleLine(program) })}</p>
    </Dialog>
  )
}
