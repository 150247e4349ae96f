import type { PermissionAsk } from '../../shared/domain/ticket.ts'
import { useText } from '../i18n/i18n.ts'
import { exactText } from '../../shared/domain/visible.ts'
import styles from './AskText.module.css'
import { markedPieces } from './mark-spans.ts'
import { SeenBox } from './SeenBox.tsx'

/** The exact text that is decided on, with the dangerous part marked and invisible characters shown. */
export function AskText({
  ask,
  maxHeightPx,
  onHidden,
}: {
  ask: PermissionAsk
  maxHeightPx: number
  onHidden: (isHidden: boolean) => void
}) {
  const { t } = useText()
  const pieces = markedPieces(ask.text, ask.risk.level === 'dangerous' ? ask.risk.span : undefined)
  return (
    <SeenBox label={t('ticket.textLabel')} maxHeightPx={maxHeightPx} onHidden={onHidden}>
      <pre className={styles.text}>
        {pieces.map(({ text, isMarked }, index) =>
          isMarked ? (
            <mark key={index} title={t('ticket.marked')}>
              <span className={`visually-hidden ${styles.spoken}`}>{`${t('ticket.marked')}: `}</span>
              {exactText(text)}
            </mark>
          ) : (
            <span key={index}>{exactText(text)}</span>
          ),
        )}
      </pre>
    </SeenBox>
  )
}
