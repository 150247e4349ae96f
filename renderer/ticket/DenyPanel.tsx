import { useId, useState } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import styles from './TicketCard.module.css'
import type { Decide } from './use-decide.ts'

/** Denies, with a word to the agent: it goes on without, or stops. */
export function DenyPanel({ decide, onClose }: { decide: Decide; onClose: () => void }) {
  const { t } = useText()
  const fieldId = useId()
  const [message, setMessage] = useState('')
  const deny = (stop: boolean) => {
    const said = message.trim()
    decide.send({ kind: 'deny', stop, ...(said === '' ? {} : { message: said }) })
  }
  useShortcut('mod+enter', decide.isBusy ? undefined : (event) => event.repeat || deny(false))
  useShortcut('escape', onClose, { whileTyping: true })
  return (
    <div className={styles.panel} data-panel>
      <label htmlFor={fieldId}>{t('ticket.denyField')}</label>
      <TextArea
        id={fieldId}
        autoFocus
        rows={2}
        maxLength={textLimits.denial}
        value={message}
        placeholder={t('ticket.denyPlaceholder')}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className={styles.choices}>
        <Button look="danger" shortcut="mod+enter" busy={decide.isBusy} onClick={() => deny(false)}>
          {t('ticket.denyGoOn')}
        </Button>
        <small>{t('ticket.denyGoOnText')}</small>
        <Button look="danger" busy={decide.isBusy} onClick={() => deny(true)}>
          {t('ticket.denyStop')}
        </Button>
        <small>{t('ticket.denyStopText')}</small>
      </div>
      <div className={styles.panelEnd}>
        <Button look="quiet" shortcut="escape" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}
