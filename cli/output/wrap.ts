import { displayWidth, graphemes } from '../../shared/domain/text-width.ts'

/** Breaks plain text into lines of at most `columns`, at spaces where there are any. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(10, columns)))
}

function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\s)/)) {
    if (displayWidth(current + word.trimEnd()) <= columns) {
      current += word
      continue
    }
    if (current.trim() !== '') lines.push(current.trimEnd())
    current = word
    while (displayWidth(current.trimEnd()) > columns) {
      const piece = hardCut(current, columns)
      lines.push(piece)
      current = current.slice(piece.length)
    }
  }
  if (current.trim() !== '') lines.push(current.trimEnd())
  return lines
}

function hardCut(text: string, columns: number): string {
  let kept = ''
  let width = 0
  for (const grapheme of graphemes(text)) {
    width += grapheme.width
    if (width > columns) break
    kept += grapheme.text
  }
  return kept
}

// A private-use character that no text shown here has; it is one column wide, like the space it stands for.
const KEPT_SPACE = '\ue000'

/** Breaks a PATH into lines of at most `columns`, after the colons, so that each folder can be read. A longer one keeps its line. */
export function wrapPath(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const folder of text.split(/(?<=:)/)) {
    const last = lines.at(-1)
    if (last === undefined || displayWidth(last + folder) > columns) lines.push(folder)
    else lines[lines.length - 1] = last + folder
  }
  return lines
}

/** Like `wrap` for sentences: a command in backticks stays on one line, so that it can be copied. */
export function wrapSentences(text: string, columns: number): string[] {
  const kept = text.replace(/`[^`\n]*`/g, (command) => command.replace(/ /g, KEPT_SPACE))
  return wrap(kept, columns).map((line) => line.replaceAll(KEPT_SPACE, ' '))
}
