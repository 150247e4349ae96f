import { PTY_WRITE_CHARS } from '../../../shared/pty-messages.ts'

/** Cuts input into messages that the pty host takes, never inside a surrogate pair. */
export function* inputPieces(data: string): Generator<string> {
  for (let start = 0; start < data.length;) {
    let end = Math.min(data.length, start + PTY_WRITE_CHARS)
    const last = data.charCodeAt(end - 1)
    if (end < data.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    yield data.slice(start, end)
    start = end
  }
}
