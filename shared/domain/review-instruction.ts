/** A remark of the person on lines of a diff. Line numbers are those of the file: the old one's or the new one's. */
export interface ReviewComment {
  path: string
  side: 'old' | 'new'
  fromLine: number
  toLine: number
  /** The lines as they were shown, without their + and -. */
  quote: readonly string[]
  text: string
}

const QUOTED_LINES = 12

/**
 * Compiles comments and a general instruction into one clear instruction for the agent: grouped by file, in the order of
 * the lines, each with the place and what stands there, so that it can be followed without seeing the review.
 */
export function compileInstruction(comments: readonly ReviewComment[], general: string): string {
  const parts: string[] = []
  if (general.trim() !== '') parts.push(general.trim())
  if (comments.length > 0)
    parts.push(
      comments.length === 1
        ? 'There is one comment on your changes. Please address it:'
        : `There are ${comments.length} comments on your changes. Please address each of them:`,
    )
  const ordered = comments.toSorted((a, b) => compare(a.path, b.path) || a.fromLine - b.fromLine)
  ordered.forEach((comment, index) => parts.push(one(comment, ordered.length > 1 ? `${index + 1}. ` : '')))
  return parts.join('\n\n')
}

function one(comment: ReviewComment, number: string): string {
  const { path, side, fromLine, toLine, text } = comment
  const lines = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine}–${toLine}`
  const where = `${number}\`${path}\`, ${side === 'old' ? `removed ${lines}` : lines}:`
  return [where, ...quoted(comment.quote), text.trim()].join('\n')
}

function quoted(lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, QUOTED_LINES).map((line) => `> ${line}`)
  if (lines.length > QUOTED_LINES) shown.push(`> … ${lines.length - QUOTED_LINES} more lines`)
  // The blank line ends the quotation; without it the remark would read as part of it.
  return [...shown, '']
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
