import type { TerminalData } from './terminal-calls.ts'

/**
 * How a piece of output crosses a WebSocket, as one binary message: 1 byte that is 1 for a new screen, 4 bytes `seq`, 4 bytes
 * `chars` (both big-endian), 1 byte length of the id, the id in ASCII, and the output as it is.
 */
const FIXED_BYTES = 10

/** A piece of output as a message. */
export function encodeTerminalFrame({ terminalId, seq, reset, chunk, chars }: TerminalData): Uint8Array {
  const frame = new Uint8Array(FIXED_BYTES + terminalId.length + chunk.length)
  const view = new DataView(frame.buffer)
  view.setUint8(0, reset ? 1 : 0)
  view.setUint32(1, seq)
  view.setUint32(5, chars)
  view.setUint8(9, terminalId.length)
  for (let at = 0; at < terminalId.length; at += 1) frame[FIXED_BYTES + at] = terminalId.charCodeAt(at)
  frame.set(chunk, FIXED_BYTES + terminalId.length)
  return frame
}

/** The piece in a message; undefined when it is none. The output is a view into the message. */
export function decodeTerminalFrame(message: ArrayBuffer): TerminalData | undefined {
  if (message.byteLength < FIXED_BYTES) return undefined
  const view = new DataView(message)
  const start = FIXED_BYTES + view.getUint8(9)
  if (message.byteLength < start) return undefined
  return {
    terminalId: String.fromCharCode(...new Uint8Array(message, FIXED_BYTES, start - FIXED_BYTES)),
    seq: view.getUint32(1),
    reset: view.getUint8(0) === 1,
    chunk: new Uint8Array(message, start),
    chars: view.getUint32(5),
  }
}
