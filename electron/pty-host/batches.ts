import { isUtf8 } from 'node:buffer'
import { PTY_BATCH_BYTES } from '../../shared/pty-messages.ts'

/** How long output is gathered before it is sent: after little, which may be an echo in parts, and in a flood. */
const GATHER_MS = { little: 4, flood: 16 }
const LITTLE_BYTES = 1_024

/** Whole characters in UTF-8, in memory of its own, and how many UTF-16 code units they are. */
export type SendBatch = (data: Uint8Array<ArrayBuffer>, chars: number) => void

/**
 * Gathers output into batches: the first after a pause goes at once, so that an echo is not late; what follows is sent
 * every 4 ms, in a flood every 16 ms, or before there are more than 64 KiB. A batch is 64 KiB at most, and none begins or ends inside
 * a character. What is no UTF-8 becomes U+FFFD, as any decoder does it (a batch of that is up to three times as long).
 */
export function createBatches({
  send,
  now = () => performance.now(),
}: {
  send: SendBatch
  now?: () => number
}) {
  let parts: Uint8Array[] = []
  let length = 0
  let last = { bytes: 0, sentAt: -Infinity }
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    const all = joined()
    pass(all, wholeCharacters(all))
  }

  function pass(all: Uint8Array<ArrayBuffer>, end: number): void {
    parts = end === all.length ? [] : [all.slice(end)]
    length = all.length - end
    if (end === 0) return
    last = { bytes: end, sentAt: now() }
    for (const batch of cut(all, end)) sendAsText(batch, send)
  }

  function joined(): Uint8Array<ArrayBuffer> {
    clearTimeout(timer)
    timer = undefined
    const all = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }

  return {
    add(chunk: Uint8Array): void {
      // Rather a batch that is not quite full than a full one and a crumb.
      if (length > 0 && length + chunk.length > PTY_BATCH_BYTES) flush()
      parts.push(chunk)
      length += chunk.length
      if (length >= PTY_BATCH_BYTES) return flush()
      if (timer !== undefined) return
      const gatherMs = last.bytes < LITTLE_BYTES ? GATHER_MS.little : GATHER_MS.flood
      const waitMs = last.sentAt + gatherMs - now()
      if (waitMs <= 0) flush()
      else timer = setTimeout(flush, waitMs)
    },
    /** Sends what is gathered now; of a character that is not complete the beginning is kept. */
    flush,
    /** Sends what is gathered now, all of it. */
    end(): void {
      const all = joined()
      pass(all, all.length)
    },
  }
}

function sendAsText(batch: Uint8Array<ArrayBuffer>, send: SendBatch): void {
  // Counted by decoding: what is no UTF-8 counts as well, or a program that writes nothing else would never be paused.
  const text = Buffer.from(batch.buffer).toString()
  send(isUtf8(batch) ? batch : new TextEncoder().encode(text), text.length)
}

/** Cuts what stands before `end` into pieces of at most 64 KiB, each in memory of its own. */
function* cut(all: Uint8Array<ArrayBuffer>, end: number): Generator<Uint8Array<ArrayBuffer>> {
  let start = 0
  while (end - start > PTY_BATCH_BYTES) {
    const next = start + wholeCharacters(all.subarray(start, start + PTY_BATCH_BYTES))
    yield all.slice(start, next)
    start = next
  }
  yield start === 0 && end === all.length ? all : all.slice(start, end)
}

/** How many bytes are left when a character that is cut off at the end is left out. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (!isContinuation(byte)) return characterBytes(byte) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** How long a character is that begins with this byte. */
function characterBytes(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}
