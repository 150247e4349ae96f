/** Columns a character takes in a terminal: 0 for combining marks, 2 for East Asian wide ones and emoji, else 1. */
export function charWidth(char: string): number {
  if (/^[\p{Mn}\p{Me}\u200B-\u200D\uFE00-\uFE0F]$/u.test(char)) return 0
  const code = char.codePointAt(0) ?? 0
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  return wide ? 2 : 1
}

/** Columns a text takes. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** Breaks a text into lines of at most `columns`, at spaces where there are any. Control characters are dropped. */
export function wrapText(text: string, columns: number): string[] {
  const width = Math.max(2, columns)
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapLine(line.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ''), width))
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let current = ''
  let width = 0
  for (const char of line) {
    const wide = charWidth(char)
    if (width + wide > columns) {
      const space = current.lastIndexOf(' ')
      // Between wide characters a line may end anywhere.
      const cut = char !== ' ' && wide < 2 && space > 0 ? space : current.length
      lines.push(current.slice(0, cut))
      current = current.slice(cut).trimStart()
      width = textWidth(current)
      if (char === ' ' && current === '') continue
    }
    current += char
    width += wide
  }
  return [...lines, current]
}

/** The text, cut with `…` when it takes more than `columns`. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let result = ''
  for (const char of text) {
    if (textWidth(result) + charWidth(char) > columns - 1) break
    result += char
  }
  return `${result}…`
}
