import { useState } from 'react'
import { textLimits } from '../../../shared/domain/text-limits.ts'
import { visibleText } from '../../../shared/domain/visible.ts'
import { useText, type Translate } from '../../i18n/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import styles from './Comment.module.css'
import type { KeptComment } from './comment-store.ts'
import type { CommentedLines } from './place.ts'

/** Which lines, in words. */
function placeWords(
  { side, fromLine, toLine }: Pick<CommentedLines, 'side' | 'fromLine' | 'toLine'>,
  t: Translate,
): string {
  const one = fromLine === toLine
  if (side === 'old')
    return one
      ? t('review.oldLine', { line: fromLine })
      : t('review.oldLines', { from: fromLine, to: toLine })
  return one ? t('review.line', { line: fromLine }) : t('review.lines', { from: fromLine, to: toLine })
}

/** A comment below its lines. */
export function CommentBox({
  comment,
  onChange,
  onDrop,
}: {
  comment: KeptComment
  onChange: (text: string) => void
  onDrop: () => void
}) {
  const { t } = useText()
  const [isEditing, setEditing] = useState(false)
  if (isEditing)
    return (
      <CommentEditor
        place={comment}
        text={comment.text}
        onKeep={(text) => (onChange(text), setEditing(false))}
        onClose={() => setEditing(false)}
      />
    )
  return (
    <div className={styles.comment}>
      <p className={styles.head}>
        <b>{t('review.you')}</b> · {placeWords(comment, t)}
        <span />
        <Button size="small" look="quiet" onClick={() => setEditing(true)}>
          {t('review.editComment')}
        </Button>
        <Button size="small" look="quiet" onClick={onDrop}>
          {t('review.deleteComment')}
        </Button>
      </p>
      <p className={styles.text}>{visibleText(comment.text)}</p>
    </div>
  )
}

/** Where a comment is written. */
export function CommentEditor({
  place,
  text: before = '',
  onKeep,
  onClose,
}: {
  place: Pick<CommentedLines, 'side' | 'fromLine' | 'toLine'>
  text?: string
  onKeep: (text: string) => void
  onClose: () => void
}) {
  const { t } = useText()
  const [text, setText] = useState(before)
  const canKeep = text.trim() !== ''
  useShortcut('mod+enter', canKeep ? () => onKeep(text) : undefined)
  return (
    <div className={styles.comment}>
      <p className={styles.head}>{placeWords(place, t)}</p>
      <textarea
        autoFocus
        rows={3}
        value={text}
        maxLength={textLimits.comment}
        placeholder={t('review.commentHint')}
        aria-label={t('review.comment')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          event.stopPropagation()
          onClose()
        }}
      />
      <div className={styles.buttons}>
        <Button size="small" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          size="small"
          look="primary"
          shortcut="mod+enter"
          disabled={!canKeep}
          onClick={() => onKeep(text)}
        >
          {t('review.saveComment')}
        </Button>
      </div>
    </div>
  )
}
