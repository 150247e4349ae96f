import { diffWordsWithSpace } from 'diff'
import type { DiffHunk, DiffLine } from './parse.ts'

/** Parts of a line that differ from its partner, as pairs of offsets `[from, to)` in UTF-16 units. */
export type Marks = readonly (readonly [from: number, to: number])[]

const MAX_LINE = 1_000
// More than this differing is another line, not a changed one; marking all of it says nothing.
const MAX_SHARE = 0.7
// So is one with more changed words; finding the shortest way between such two takes long.
const LIMIT = { maxEditLength: 120 }

/** Says what differs in a changed line: compared when it is asked for, and once. */
export function createWordMarks(): (hunk: DiffHunk, line: DiffLine) => Marks | undefined {
  const partners = new WeakMap<DiffHunk, ReadonlyMap<DiffLine, readonly [DiffLine, DiffLine]>>()
  const known = new WeakMap<DiffLine, Marks | 'none'>()
  return (hunk, line) => {
    if (line.kind === 'context') return undefined
    let marks = known.get(line)
    if (marks === undefined) {
      const pairs = partners.get(hunk) ?? pairLines(hunk)
      partners.set(hunk, pairs)
      const [before, after] = pairs.get(line) ?? []
      const [left, right] = before && after ? markPair(before, after) : [[], []]
      marks = line === before ? left : right
      if (before) known.set(before, left)
      if (after) known.set(after, right)
      if (marks.length === 0) known.set(line, 'none')
    }
    return marks === 'none' || marks.length === 0 ? undefined : marks
  }
}

/** Every changed line that has a partner, with both; the n-th removed line of a block is compared with the n-th added one. */
function pairLines(hunk: DiffHunk): Map<DiffLine, readonly [DiffLine, DiffLine]> {
  const pairs = new Map<DiffLine, readonly [DiffLine, DiffLine]>()
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const close = () => {
    for (let at = 0; at < Math.min(removed.length, added.length); at += 1) {
      const [before, after] = [removed[at], added[at]]
      if (before === undefined || after === undefined) continue
      pairs.set(before, [before, after])
      pairs.set(after, [before, after])
    }
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
  return pairs
}

function markPair(before: DiffLine, after: DiffLine): [Marks, Marks] {
  const [left, right] = [new Array<[number, number]>(), new Array<[number, number]>()]
  if (before.text.length > MAX_LINE || after.text.length > MAX_LINE) return [left, right]
  let [oldAt, newAt] = [0, 0]
  for (const { value, added, removed } of diffWordsWithSpace(before.text, after.text, LIMIT) ?? []) {
    if (removed) left.push([oldAt, oldAt + value.length])
    if (added) right.push([newAt, newAt + value.length])
    if (!added) oldAt += value.length
    if (!removed) newAt += value.length
  }
  if (share(left, before.text) > MAX_SHARE && share(right, after.text) > MAX_SHARE) return [[], []]
  return [left, right]
}

function share(parts: readonly (readonly [number, number])[], text: string): number {
  return parts.reduce((sum, [from, to]) => sum + to - from, 0) / Math.max(1, text.length)
}
