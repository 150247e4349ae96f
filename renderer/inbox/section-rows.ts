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
