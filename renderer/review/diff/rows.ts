import type { DiffFile, DiffHunk, DiffLine } from './parse.ts'

/** One row of the diff as it is scrolled through. */
export type DiffRow =
  | { kind: 'file'; key: string; file: DiffFile; fileIndex: number }
  | { kind: 'note'; key: string; file: DiffFile; fileIndex: number }
  | { kind: 'hunk'; key: string; hunk: DiffHunk; fileIndex: number }
  | { kind: 'line'; key: string; line: DiffLine; fileIndex: number; hunk: DiffHunk }
  | {
      kind: 'pair'
      key: string
      left: DiffLine | undefined
      right: DiffLine | undefined
      fileIndex: number
      hunk: DiffHunk
    }

/** The rows of a diff; a collapsed file (viewed) is only its header. */
export function diffRows(
  files: readonly DiffFile[],
  layout: 'unified' | 'split',
  isCollapsed: (file: DiffFile) => boolean,
): DiffRow[] {
  const rows: DiffRow[] = []
  files.forEach((file, fileIndex) => {
    rows.push({ kind: 'file', key: `${fileIndex}`, file, fileIndex })
    if (isCollapsed(file)) return
    if (file.hunks.length === 0) rows.push({ kind: 'note', key: `${fileIndex} note`, file, fileIndex })
    file.hunks.forEach((hunk, hunkIndex) => {
      const key = `${fileIndex} ${hunkIndex}`
      // What begins with the file leaves nothing out.
      if (hunkIndex > 0 || hunk.newStart > 1 || hunk.oldStart > 1)
        rows.push({ kind: 'hunk', key, hunk, fileIndex })
      if (layout === 'unified')
        hunk.lines.forEach((line, at) =>
          rows.push({ kind: 'line', key: `${key} ${at}`, line, fileIndex, hunk }),
        )
      else
        pairs(hunk).forEach(([left, right], at) =>
          rows.push({ kind: 'pair', key: `${key} ${at}`, left, right, fileIndex, hunk }),
        )
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
