import { PTY_BATCH_CHARS } from '../../shared/pty-messages.ts'

/** How long output is gathered before it is sent: after little, which may be an echo in parts, and in a flood. */
const GATHER_MS = { little: 4, flood: 16 }
const LITTLE_CHARS = 1_024

/**
 * Gathers output into batches: the first after a pause goes at once, so that an echo is not late; what follows is sent
 * every 4 ms, in a flood every 16 ms, or as soon as there are 64 Ki code units. No batch is longer, and none begins or ends inside a character.
 */
export function createBatches({
  send,
  now = () => performance.now(),
}: {
  send: (batch: string) => void
  now?: () => number
}) {
  let parts: string[] = []
  let length = 0
  let last = { chars: 0, sentAt: -Infinity }
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (length === 0) return
    const all = parts.join('')
    last = { chars: length, sentAt: now() }
    parts = []
    length = 0
    for (const batch of cut(all)) send(batch)
  }

  return {
    add(chunk: string): void {
      parts.push(chunk)
      length += chunk.length
      if (length >= PTY_BATCH_CHARS) return flush()
      if (timer !== undefined) return
      const gatherMs = last.chars < LITTLE_CHARS ? GATHER_MS.little : GATHER_MS.flood
      const waitMs = last.sentAt + gatherMs - now()
      if (waitMs <= 0) flush()
      else timer = setTimeout(flush, waitMs)
    },
    /** Sends what is gathered now. */
    flush,
  }
}

/** Cuts text into pieces of at most 64 Ki code units, never between the halves of a surrogate pair. */
function* cut(text: string): Generator<string> {
  let start = 0
  while (text.length - start > PTY_BATCH_CHARS) {
    let end = start + PTY_BATCH_CHARS
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    yield text.slice(start, end)
    start = end
  }
  yield start === 0 ? text : text.slice(start)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
