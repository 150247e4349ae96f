const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** East Asian wide and fullwidth blocks (Unicode 16, UAX #11), as pairs of first and last code point. */
const WIDE = [
  0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00,
  0x9fff, 0xa000, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f,
  0xff00, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18cff, 0x1aff0, 0x1b2ff, 0x1f200, 0x1f2ff, 0x20000, 0x3fffd,
]

/** A character as people see it, however many code points it has, and the columns it takes on a terminal. */
export interface Grapheme {
  text: string
  /** 0 for combining marks and control characters, 2 for East Asian wide characters and emoji, else 1. */
  width: number
}

/** Takes a text without colours apart into what people see as characters. */
export function* graphemes(text: string): Generator<Grapheme> {
  for (const { segment } of segmenter.segment(text)) yield { text: segment, width: graphemeWidth(segment) }
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Mark}\p{Control}\p{Format}]+$/u.test(grapheme)) return 0
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(grapheme)) return 2
  const code = grapheme.codePointAt(0) ?? 0
  for (let index = 0; index < WIDE.length; index += 2)
    if (code >= (WIDE[index] ?? 0) && code <= (WIDE[index + 1] ?? 0)) return 2
  return 1
}

// Colours take no room on the screen.
const ANSI = /\x1b\[[0-9;]*m/g

/** Columns that `text` (one line, colours allowed) takes on a terminal. */
export function displayWidth(text: string): number {
  const plain = text.replace(ANSI, '')
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length
  let width = 0
  for (const grapheme of graphemes(plain)) width += grapheme.width
  return width
}

/** Cuts plain text to at most `columns`, ending in `…` when something was cut. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const grapheme of graphemes(text)) {
    width += grapheme.width
    if (width > columns - 1) break
    kept += grapheme.text
  }
  return `${kept}…`
}

/** Fills with spaces up to `columns`; longer text stays as it is. */
export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}
