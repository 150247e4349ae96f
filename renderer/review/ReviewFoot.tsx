import { useState } from 'react'
import { textLimits } from '../../shared/domain/text-limits.ts'
import { compileInstruction } from '../../shared/domain/review-instruction.ts'
import { isOver, type Task } from '../../shared/domain/task.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import type { ReviewNotesState } from './comments/comment-store.ts'
import { FinishDialog, type TaskBranch } from './FinishDialog.tsx'
import styles from './Review.module.css'
import { SendBackDialog } from './SendBackDialog.tsx'

/** The decision: send back with comments and an instruction, or approve and finish. */
export function ReviewFoot({
  host,
  task,
  review,
  branch,
}: {
  host: string
  task: Task
  review: ReviewNotesState
  branch: TaskBranch
}) {
  const { t } = useText()
  const [open, setOpen] = useState<'send' | 'finish'>()
  const { comments, general } = review.notes
  const isWaiting = task.state === 'waiting_review'
  const hasWords = comments.length > 0 || general.trim() !== ''
  const canSend = isWaiting && hasWords && open === undefined
  useShortcut('mod+enter', canSend ? () => setOpen('send') : undefined)
  const close = () => setOpen(undefined)
  // The dialog stays until it has said what became of finishing.
  if (isOver(task.state) && open === undefined) return null
  return (
    <footer className={styles.foot}>
      {isWaiting || hasWords ? (
        <textarea
          rows={1}
          value={general}
          maxLength={textLimits.generalComment}
          placeholder={t('review.general')}
          aria-label={t('review.generalLabel')}
          onChange={(event) => review.setGeneral(event.target.value)}
        />
      ) : null}
      {isWaiting ? (
        <>
          <Button shortcut="mod+enter" disabled={!canSend} onClick={() => setOpen('send')}>
            {comments.length === 0
              ? t('review.sendBackPlain')
              : t('review.sendBack', { count: comments.length })}
          </Button>
          <Button look="primary" onClick={() => setOpen('finish')}>
            {t('review.finish')}
          </Button>
        </>
      ) : (
        <p>{t('review.notWaiting')}</p>
      )}
      {open === 'send' ? (
        <SendBackDialog
          host={host}
          task={task}
          text={compileInstruction(comments, general)}
          onSent={review.sent}
          onClose={close}
        />
      ) : null}
      {open === 'finish' ? (
        <FinishDialog
          host={host}
          task={task}
          unsent={comments.length}
          branch={branch}
          onFinished={review.sent}
          onClose={close}
        />
      ) : null}
    </footer>
  )
}
