import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { visibleText } from '../../shared/domain/visible.ts'
import styles from './terminal.module.css'

const SHOWN_CHARS = 2_000

/** Asks before several lines go to a program that would run each of them at once. */
export function PasteQuestion({ text, onAnswer }: { text: string; onAnswer: (paste: boolean) => void }) {
  const { t } = useText()
  const lines = text.replace(/\r?\n$/, '').split(/\r\n|\r|\n/).length
  return (
    <Dialog
      title={t('terminal.paste.title', { count: lines })}
      onClose={() => onAnswer(false)}
      width={520}
      footer={
        <>
          <span style={{ flex: 1 }} />
          <Button onClick={() => onAnswer(false)}>{t('common.cancel')}</Button>
          <Button look="primary" onClick={() => onAnswer(true)}>
            {t('terminal.paste.do')}
          </Button>
        </>
      }
    >
      <div className={styles.question}>
        <p className={styles.why}>{t('terminal.paste.why')}</p>
        <pre className={styles.preview} tabIndex={0} aria-label={t('terminal.paste.preview')}>
          {visibleText(text.slice(0, SHOWN_CHARS))}
          {text.length > SHOWN_CHARS ? '…' : ''}
        </pre>
      </div>
    </Dialog>
  )
}
