import { CommentBox, CommentEditor } from '../comments/CommentBox.tsx'
import type { ReviewNotesState } from '../comments/comment-store.ts'
import { commentsAt, lineOn } from '../comments/place.ts'
import type { DiffFile, DiffLine } from './parse.ts'
import type { DiffRow } from './rows.ts'
import type { Commenting } from './use-commenting.ts'

/** What stands below the lines of a row: kept comments, and whether one is being written. */
export interface BelowRow {
  kept: ReturnType<typeof commentsAt>
  isOpenHere: boolean
}

const NOTHING: BelowRow = { kept: [], isOpenHere: false }

/** Looks for what belongs below a row; most have nothing, and finding that out costs little. */
export function belowRow(
  row: DiffRow,
  file: DiffFile,
  { open, review }: { open: Commenting['open']; review: ReviewNotesState },
): BelowRow {
  const { comments } = review.notes
  if ((comments.length === 0 && open === undefined) || (row.kind !== 'line' && row.kind !== 'pair'))
    return NOTHING
  const lines =
    row.kind === 'line'
      ? [row.line]
      : [...new Set([row.left, row.right])].filter((line) => line !== undefined)
  const kept = lines.flatMap((line) => commentsAt(comments, file, line))
  const isOpenHere = open?.path === file.path && lines.some((line) => isEnd(open, line))
  return kept.length === 0 && !isOpenHere ? NOTHING : { kept, isOpenHere }
}

function isEnd({ side, toLine }: { side: 'old' | 'new'; toLine: number }, line: DiffLine): boolean {
  return lineOn(line, side) === toLine && (line.kind !== 'context' || side === 'new')
}

/** The comments of a row, and the one that is being written. */
export function RowComments({
  below: { kept, isOpenHere },
  comments,
  review,
}: {
  below: BelowRow
  comments: Commenting
  review: ReviewNotesState
}) {
  const { open } = comments
  return (
    <>
      {kept.map((comment) => (
        <CommentBox
          key={comment.id}
          comment={comment}
          onChange={(text) => review.keep({ ...comment, text })}
          onDrop={() => review.drop(comment.id)}
        />
      ))}
      {open !== undefined && isOpenHere ? (
        <CommentEditor place={open} onKeep={comments.keep} onClose={comments.close} />
      ) : null}
    </>
  )
}
