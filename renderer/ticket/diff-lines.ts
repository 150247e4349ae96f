/**
 * One line of what an executor says that an edit would change. Unlike a diff of git's (renderer/review/diff/parse.ts) it may lack
 * headers or be cut anywhere, and what a person decides on must all be seen. Numbers are those of the file before and after; marks (`+`, `-`, blank)
 * are cut off.
 */
export interface EditLine {
  kind: 'added' | 'removed' | 'same' | 'hunk' | 'head'
  text: string
  before?: number
  after?: number
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** The lines of a unified diff. What is not understood stays as it is, as a heading: nothing is left out. */
export function diffLines(diff: string): EditLine[] {
  const lines: EditLine[] = []
  let before = 0
  let after = 0
  let isInside = false
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      isInside = true
      lines.push({ kind: 'hunk', text: line })
    } else if (isInside && line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), after: after++ })
    } else if (isInside && line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), before: before++ })
    } else if (isInside && (line.startsWith(' ') || line === '')) {
      lines.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ })
    } else {
      // `\ No newline at end of file` belongs to the hunk; anything else begins another file.
      isInside = isInside && line.startsWith('\\')
      lines.push({ kind: 'head', text: line })
    }
  }
  return lines
}
