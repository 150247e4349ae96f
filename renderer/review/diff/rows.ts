import type { DiffFile, DiffHunk, DiffLine } from './parse.ts'

/** One row of the diff as it is scrolled through. */
export type DiffRow =
  | { kind: 'file'; key: number; file: DiffFile; fileIndex: number }
  | { kind: 'note'; key: number; file: DiffFile; fileIndex: number }
  | { kind: 'hunk'; key: number; hunk: DiffHunk; fileIndex: number }
  | { kind: 'line'; key: number; line: DiffLine; fileIndex: number; hunk: DiffHunk }
  | {
      kind: 'pair'
      key: number
      left: DiffLine | undefined
      right: DiffLine | undefined
      fileIndex: number
      hunk: DiffHunk
    }

/** The rows of a diff; a collapsed file (viewed) is only its header. A row keeps its key while other files are opened and closed. */
export function diffRows(
  files: readonly DiffFile[],
  layout: 'unified' | 'split',
  isCollapsed: (file: DiffFile) => boolean,
): DiffRow[] {
  const rows: DiffRow[] = []
  // Numbers, because making and comparing a hundred thousand names takes long.
  let key = 0
  files.forEach((file, fileIndex) => {
    const begin = key
    key += 2 + file.hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, 0)
    rows.push({ kind: 'file', key: begin, file, fileIndex })
    if (isCollapsed(file)) return
    let next = begin + 1
    if (file.hunks.length === 0) rows.push({ kind: 'note', key: next, file, fileIndex })
    file.hunks.forEach((hunk, hunkIndex) => {
      // What begins with the file leaves nothing out.
      if (hunkIndex > 0 || hunk.newStart > 1 || hunk.oldStart > 1)
        rows.push({ kind: 'hunk', key: next++, hunk, fileIndex })
      if (layout === 'unified')
        for (const line of hunk.lines) rows.push({ kind: 'line', key: next++, line, fileIndex, hunk })
      else
        for (const [left, right] of pairs(hunk))
          rows.push({ kind: 'pair', key: next++, left, right, fileIndex, hunk })
    })
  })
  return rows
}

/** Removed lines beside the added ones that follow them; what is unchanged stands on both sides. */
export function pairs(hunk: DiffHunk): [DiffLine | undefined, DiffLine | undefined][] {
  const found: [DiffLine | undefined, DiffLine | undefined][] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const close = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      found.push([removed[at], added[at]])
    removed = []
    added = []
  }
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      close()
      found.push([line, line])
    } else if (line.kind === 'remove') {
      if (added.length > 0) close()
      removed.push(line)
    } else added.push(line)
  }
  close()
  return found
}
