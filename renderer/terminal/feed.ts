/**
 * While so long is read nothing is drawn and no key is heard. Drawing a screen costs as much as reading 300 kB, all processes of
 * the browser together: in a flood, less often is several times as fast, and nobody reads ten different pictures a second.
 */
const SLICE_MS = 40
const MIN_SLICE_BYTES = 128 * 1024
const MAX_SLICE_BYTES = 512 * 1024
/**
 * How long is gathered after a slice, unless the next is full before. What is little was no flood: nothing is gathered after
 * it. Some is a whole screen that a program paints, perhaps for each key; more than that is a flood.
 */
const LITTLE_BYTES = 16 * 1024
const SOME_BYTES = 64 * 1024
const GATHER_MS = { some: 30, flood: 100 }
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
    const waitMs = last.readAt + gatherMs(last.bytes) - now()
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

function gatherMs(lastBytes: number): number {
  if (lastBytes < LITTLE_BYTES) return 0
  return lastBytes < SOME_BYTES ? GATHER_MS.some : GATHER_MS.flood
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
