/**
 * Characters that could move the cursor, hide or reorder text: C0, DEL, C1, bidi controls, invisible format characters, the
 * fillers that look like nothing, and the tag characters that can carry a second text. Joiners stay: emoji need them.
 */
const UNSAFE =
  /[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

function name(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** Text of unknown origin as safe lines: line feeds and tabs stay, every other control character becomes visible. */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE, (c) => (c === '\n' || c === '\t' ? c : name(c)))
}

/** Text of unknown origin as one safe line: line breaks become spaces. */
export function visibleLine(text: string): string {
  return text
    .replace(/[\s]*\n[\s]*/g, ' ')
    .replace(/\t/g, ' ')
    .replace(UNSAFE, name)
    .trim()
}

/** The exact text of a decision: even tabs and carriage returns are shown, only line feeds break the line. */
export function exactText(text: string): string {
  return text.replace(UNSAFE, (c) => (c === '\n' ? c : c === '\t' ? '␉' : name(c)))
}
