import { useState } from 'react'
import type { ReviewNotesState } from '../comments/comment-store.ts'
import { lineOn, placeBetween, type CommentedLines } from '../comments/place.ts'
import type { DiffFile, DiffHunk, DiffLine } from './parse.ts'

/** The comment that is being written. */
export type Commenting = ReturnType<typeof useCommenting>

/** Which lines are being commented on: a click begins, a click with Shift makes it a range. */
export function useCommenting(review: ReviewNotesState, onClosed: () => void) {
  const [open, setOpen] = useState<CommentedLines>()
  const close = () => {
    setOpen(undefined)
    onClosed()
  }
  return {
    open,
    pick(at: { file: DiffFile; hunk: DiffHunk; side: 'old' | 'new' }, line: DiffLine, isRange: boolean) {
      const number = lineOn(line, at.side)
      if (number === undefined) return
      const from =
        isRange && open !== undefined && open.path === at.file.path && open.side === at.side
          ? open.fromLine
          : number
      setOpen(placeBetween(at, from, number) ?? placeBetween(at, number, number))
    },
    keep(text: string) {
      if (open !== undefined) review.keep({ ...open, id: crypto.randomUUID(), text })
      close()
    },
    close,
  }
}
