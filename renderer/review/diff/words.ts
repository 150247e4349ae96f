import { diffWordsWithSpace } from 'diff'
import type { DiffHunk, DiffLine } from './parse.ts'

/** Parts of a line that differ from its partner, as pairs of offsets `[from, to)` in UTF-16 units. */
export type Marks = readonly (readonly [from: number, to: number])[]

const MAX_LINE = 1_000
// More than this differing is another line, not a changed one; marking all of it says nothing.
const MAX_SHARE = 0.7

/** Word marks of every changed line that has a partner; the n-th removed line of a block is compared with the n-th added one. */
export function wordMarks(hunk: DiffHunk): Map<DiffLine, Marks> {
  const marks = new Map<DiffLine, Marks>()
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const close = () => {
    for (let at = 0; at < Math.min(removed.length, added.length); at += 1)
      markPair(removed[at], added[at], marks)
    removed = []
    added = []
  }
  for (const line of hunk.lines) {
    if (line.kind === 'remove' && added.length > 0) close()
    if (line.kind === 'remove') removed.push(line)
    else if (line.kind === 'add') added.push(line)
    else close()
  }
  close()
  return marks
}

function markPair(
  before: DiffLine | undefined,
  after: DiffLine | undefined,
  marks: Map<DiffLine, Marks>,
): void {
  if (before === undefined || after === undefined) return
  if (before.text.length > MAX_LINE || after.text.length > MAX_LINE) return
  const [left, right] = [new Array<[number, number]>(), new Array<[number, number]>()]
  let [oldAt, newAt] = [0, 0]
  for (const { value, added, removed } of diffWordsWithSpace(before.text, after.text)) {
    if (removed) left.push([oldAt, oldAt + value.length])
    if (added) right.push([newAt, newAt + value.length])
    if (!added) oldAt += value.length
    if (!removed) newAt += value.length
  }
  if (share(left, before.text) > MAX_SHARE && share(right, after.text) > MAX_SHARE) return
  if (left.length > 0) marks.set(before, left)
  if (right.length > 0) marks.set(after, right)
}

function share(parts: readonly (readonly [number, number])[], text: string): number {
  return parts.reduce((sum, [from, to]) => sum + to - from, 0) / Math.max(1, text.length)
}
