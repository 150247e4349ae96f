// Colours and cursor movements of programs that think they write to a terminal (ECMA-48 CSI, OSC and two-byte escapes).
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g

/** What a program printed, as plain text: without escapes, and with lines that were overwritten (carriage return) as they ended. */
export function plainOutput(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/\r\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g, '')
}
