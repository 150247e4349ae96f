import { useCallback } from 'react'
import { useHostLabel } from '../app/host-words.ts'
import { useText } from '../i18n/i18n.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import { AskText } from './AskText.tsx'
import { EditDiff } from './EditDiff.tsx'
import type { TicketView } from './TicketCard.tsx'
import styles from './TicketCard.module.css'

const TEXT_HEIGHT_PX = 200
const DIFF_HEIGHT_PX = 300
/** Stands for the path in the sentence, so that it can be an element of its own; no host and no text has it. */
const PATH_PLACE = '\0'

/** What is asked, in full. `onHidden` tells of each part whether some of it was never on the screen. */
export function TicketAsk({
  view,
  onHidden,
}: {
  view: TicketView
  onHidden: (part: string, isHidden: boolean) => void
}) {
  const { ask } = view.ticket
  const textHidden = useCallback((isHidden: boolean) => onHidden('text', isHidden), [onHidden])
  const diffHidden = useCallback((isHidden: boolean) => onHidden('diff', isHidden), [onHidden])
  if (ask.kind === 'review') return null
  if (ask.kind === 'question') return <div className={styles.question}>{visibleText(ask.text)}</div>
  return (
    <div className={styles.asked}>
      <AskText ask={ask} maxHeightPx={TEXT_HEIGHT_PX} onHidden={textHidden} />
      <PlaceLine view={view} />
      {ask.diff === undefined || ask.diff === '' ? null : (
        <EditDiff diff={ask.diff} maxHeightPx={DIFF_HEIGHT_PX} onHidden={diffHidden} />
      )}
    </div>
  )
}

function PlaceLine({ view }: { view: TicketView }) {
  const { t } = useText()
  const host = useHostLabel(view.host)
  const path = visibleLine(view.task.worktree)
  const [before, after] = t('ticket.place', { path: PATH_PLACE, host }).split(PATH_PLACE)
  return (
    <p className={styles.place} title={path}>
      {before}
      <span>{path}</span>
      {after}
    </p>
  )
}
