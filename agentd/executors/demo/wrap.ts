import { displayWidth, graphemes } from '../../../shared/domain/text-width.ts'

/** Breaks a text into lines of at most `columns`, at spaces where there are any. Control characters are dropped. */
export function wrapText(text: string, columns: number): string[] {
  const width = Math.max(2, columns)
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapLine(line.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ''), width))
}

function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line]
  const lines: string[] = []
  let current = ''
  let width = 0
  let space = 0
  for (const { text: char, width: wide } of graphemes(line)) {
    if (width + wide > columns) {
      // Between wide characters a line may end anywhere.
      const cut = char !== ' ' && wide < 2 && space > 0 ? space : current.length
      lines.push(current.slice(0, cut))
      current = current.slice(cut).trimStart()
      width = displayWidth(current)
      space = 0
      if (char === ' ' && current === '') continue
    }
    // A space that carries a mark is no place to break.
    if (char === ' ') space = current.length
    current += char
    width += wide
  }
  return [...lines, current]
}
