import type { InboxSection } from '../../shared/ipc/views.ts'

/** How many rows a section has; sections and their rows follow each other in the same order. */
export interface SectionSize {
  section: InboxSection
  count: number
}

/** One line of the list: the head of a section, or a row by its number over all sections. */
export type Entry =
  { kind: 'head'; section: InboxSection; count: number } | { kind: 'row'; row: number; section: InboxSection }

/** How many lines the list has with the heads of its sections. */
export function entryCount(sections: readonly SectionSize[]): number {
  return sections.reduce((sum, { count }) => sum + (count > 0 ? count + 1 : 0), 0)
}

/** What stands on a line; undefined behind the end. */
export function entryAt(sections: readonly SectionSize[], line: number): Entry | undefined {
  let first = 0
  let row = 0
  for (const { section, count } of sections) {
    if (count === 0) continue
    if (line === first) return { kind: 'head', section, count }
    if (line <= first + count) return { kind: 'row', row: row + line - first - 1, section }
    first += count + 1
    row += count
  }
  return undefined
}

/** On which line a row stands; behind the end for a row that is not there. */
export function lineOfRow(sections: readonly SectionSize[], row: number): number {
  let heads = 0
  let first = 0
  for (const { count } of sections) {
    if (count === 0) continue
    heads += 1
    if (row < first + count) return row + heads
    first += count
  }
  return row + heads
}

/** The rows of one section, half open. */
export function rowsOf(sections: readonly SectionSize[], wanted: InboxSection): { from: number; to: number } {
  let first = 0
  for (const { section, count } of sections) {
    if (section === wanted) return { from: first, to: first + count }
    first += count
  }
  return { from: 0, to: 0 }
}

/** How high the lines are. */
export interface LinePx {
  rowPx: number
  headPx: number
}

/** Where a line begins, in pixels from the top of the list; of the line behind the end, how high the list is. */
export function topOfLine(sections: readonly SectionSize[], line: number, { rowPx, headPx }: LinePx): number {
  let topPx = 0
  let rest = line
  for (const { count } of sections) {
    if (count === 0) continue
    if (rest === 0) return topPx
    if (rest <= count) return topPx + headPx + (rest - 1) * rowPx
    topPx += headPx + count * rowPx
    rest -= count + 1
  }
  return topPx
}

/** Which line lies at a distance from the top of the list; the last one for what is below it. */
export function lineAt(
  sections: readonly SectionSize[],
  offsetPx: number,
  { rowPx, headPx }: LinePx,
): number {
  let topPx = 0
  let line = 0
  for (const { count } of sections) {
    if (count === 0) continue
    if (offsetPx < topPx + headPx) return line
    const row = Math.floor((offsetPx - topPx - headPx) / rowPx)
    if (row < count) return line + 1 + row
    topPx += headPx + count * rowPx
    line += count + 1
  }
  return Math.max(0, line - 1)
}
