import { textLimits } from '../../../shared/domain/text-limits.ts'
import type { DiffFile, DiffHunk, DiffLine } from '../diff/parse.ts'
import type { KeptComment } from './comment-store.ts'

/** Lines that a comment is about. */
export interface CommentedLines {
  path: string
  side: 'old' | 'new'
  fromLine: number
  toLine: number
  quote: string[]
}

/** The number of a line on one side. */
export function lineOn(line: DiffLine, side: 'old' | 'new'): number | undefined {
  return side === 'old' ? line.oldLine : line.newLine
}

/** The lines between two of one hunk, both included; undefined when they do not stand on the same side of it. */
export function placeBetween(
  { file, hunk, side }: { file: DiffFile; hunk: DiffHunk; side: 'old' | 'new' },
  a: number,
  b: number,
): CommentedLines | undefined {
  const [fromLine, toLine] = a < b ? [a, b] : [b, a]
  const lines = hunk.lines.filter((line) => {
    const number = lineOn(line, side)
    return number !== undefined && number >= fromLine && number <= toLine
  })
  if (lines.length === 0) return undefined
  return {
    path: file.path,
    side,
    fromLine,
    toLine,
    quote: lines.map((line) => line.text.slice(0, textLimits.quotedLine)),
  }
}

/** Comments that stand below a line: those whose last line it is, on its side. */
export function commentsAt(comments: readonly KeptComment[], file: DiffFile, line: DiffLine): KeptComment[] {
  return comments.filter(
    (comment) =>
      comment.path === file.path &&
      comment.toLine === lineOn(line, comment.side) &&
      // An unchanged line is both; it is commented on as the new one.
      (line.kind !== 'context' || comment.side === 'new'),
  )
}

/** Comments whose place is not part of the shown changes. */
export function outdated(comments: readonly KeptComment[], files: readonly DiffFile[]): KeptComment[] {
  return comments.filter((comment) => {
    const file = files.find((one) => one.path === comment.path)
    return !file?.hunks.some((hunk) =>
      hunk.lines.some((line) => lineOn(line, comment.side) === comment.toLine),
    )
  })
}
