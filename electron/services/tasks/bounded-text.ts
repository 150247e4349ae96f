/** Text that is put together from bytes as they come, at most `maxBytes` of them. */
export interface BoundedText {
  /** Answers false once the bound is reached; what is beyond it is dropped. */
  add(bytes: Uint8Array): boolean
  isCut(): boolean
  sizeBytes(): number
  /** Everything so far. A character that was cut in two by the bound is left out. */
  text(): string
}

/** Collects UTF-8 bytes without ever splitting a character; bytes that are no UTF-8 become U+FFFD. */
export function createBoundedText(maxBytes: number): BoundedText {
  const decoder = new TextDecoder('utf-8')
  const parts: string[] = []
  let sizeBytes = 0
  let cut = false
  return {
    add(bytes) {
      if (cut) return false
      const room = maxBytes - sizeBytes
      const taken = bytes.byteLength > room ? bytes.subarray(0, room) : bytes
      cut = taken.byteLength < bytes.byteLength
      sizeBytes += taken.byteLength
      parts.push(decoder.decode(taken, { stream: true }))
      return !cut
    },
    isCut: () => cut,
    sizeBytes: () => sizeBytes,
    text() {
      // At the end of a whole text a half character is damage and shown; at the bound it is only where the knife fell.
      if (!cut) parts.push(decoder.decode())
      return parts.join('')
    },
  }
}
