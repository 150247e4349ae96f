/**
 * While so long is read nothing is drawn and no key is heard. Drawing a screen costs as much as reading 100 kB: in a flood,
 * less often is several times as fast, and twenty pictures a second are more than anybody reads.
 */
const SLICE_MS = 40
/** So long after a slice of a flood the next is gathered, unless it is full before. */
const GATHER_MS = 40
const MIN_SLICE_BYTES = 128 * 1024
const MAX_SLICE_BYTES = 512 * 1024
/** What is less than this was no flood, and after it nothing is gathered. */
const LITTLE_BYTES = 16 * 1024
/** How much of what was known stays when a slice was timed. */
const INERTIA = 0.7

interface FeedNeeds {
  /** xterm's: reads a piece some time soon, in order, then calls back. */
  write(bytes: Uint8Array, read: () => void): void
  now?: () => number
}

interface Piece {
  bytes: Uint8Array
  read: () => void
}

const NOTHING = new Uint8Array(0)

/**
 * Feeds xterm.js. What comes after a pause, and whatever is little, goes on at once; in a flood the pieces are put together to
 * slices that take about 40 ms to read on this machine.
 */
export function createFeed({ write, now = () => performance.now() }: FeedNeeds) {
  const waiting: Piece[] = []
  let waitingBytes = 0
  let isReading = false
  let sliceBytes = MIN_SLICE_BYTES
  let last = { bytes: 0, readAt: -Infinity }
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Reads the next slice, or sees to it that this happens when it is worth it. */
  function go(): void {
    if (isReading || waiting.length === 0) return
    const waitMs = last.bytes < LITTLE_BYTES ? 0 : last.readAt + GATHER_MS - now()
    if (waitMs <= 0 || waitingBytes >= sliceBytes) return read()
    timer ??= setTimeout(read, waitMs)
  }

  function read(): void {
    clearTimeout(timer)
    timer = undefined
    const slice = take()
    const bytes = joined(slice.map((piece) => piece.bytes))
    let startedAt: number | undefined
    isReading = true
    // Told just before a slice is read: the time until then belongs to others. An echo is not to wait behind it.
    if (bytes.length >= LITTLE_BYTES) write(NOTHING, () => (startedAt = now()))
    write(bytes, () => {
      isReading = false
      last = { bytes: bytes.length, readAt: now() }
      if (startedAt !== undefined) adapt(bytes.length, last.readAt - startedAt)
      for (const piece of slice) piece.read()
      go()
    })
  }

  /** The oldest pieces, as many as make a slice. */
  function take(): Piece[] {
    let bytes = 0
    let count = 0
    for (const piece of waiting) {
      if (count > 0 && bytes + piece.bytes.length > sliceBytes) break
      bytes += piece.bytes.length
      count += 1
    }
    waitingBytes -= bytes
    return waiting.splice(0, count)
  }

  function adapt(bytes: number, tookMs: number): void {
    const wanted = (bytes / Math.max(tookMs, 0.1)) * SLICE_MS
    const possible = Math.min(MAX_SLICE_BYTES, Math.max(MIN_SLICE_BYTES, wanted))
    sliceBytes = INERTIA * sliceBytes + (1 - INERTIA) * possible
  }

  return {
    add(bytes: Uint8Array, read: () => void): void {
      waiting.push({ bytes, read })
      waitingBytes += bytes.length
      go()
    },
    dispose: () => clearTimeout(timer),
  }
}

function joined(parts: Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
