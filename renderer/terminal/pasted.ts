/** Controls of ASCII without tab and line ends, DEL, and the controls of eight bits, one of which begins sequences as ESC does. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * What may be pasted of a text: all but control characters. A program is told where pasted text ends by a sequence, and whoever writes
 * that sequence into what others copy would type for them from there on; xterm.js 6 does not look.
 */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '')
}

/** Whether a program would take a text as several lines, each of which it runs at once. */
export function isSeveralLines(text: string): boolean {
  return /(?:\r\n|\r(?!\n)|\n)./s.test(text)
}
