import { createReadStream } from 'node:fs'

const BLOCK = 512

/** A file of an archive: its content, or where it lies, with its size in bytes. */
export type TarEntry = { name: string; mode: number } & (
  { kind: 'text'; text: string } | { kind: 'file'; path: string; sizeBytes: number }
)

/**
 * The bytes of a tar archive (POSIX ustar; names of at most 100 bytes, which is enough for what the desk sends). Files
 * are read while they are sent; one that changed its size meanwhile ends the archive with an error.
 */
export async function* tarBytes(entries: readonly TarEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    const sizeBytes = entry.kind === 'text' ? Buffer.byteLength(entry.text) : entry.sizeBytes
    yield header(entry.name, entry.mode, sizeBytes)
    if (entry.kind === 'text') yield Buffer.from(entry.text)
    else yield* fileBytes(entry.path, sizeBytes)
    const rest = sizeBytes % BLOCK
    if (rest > 0) yield Buffer.alloc(BLOCK - rest)
  }
  yield Buffer.alloc(2 * BLOCK)
}

async function* fileBytes(file: string, sizeBytes: number): AsyncGenerator<Buffer> {
  let sentBytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    const bytes = chunk as Buffer
    sentBytes += bytes.byteLength
    if (sentBytes > sizeBytes) break
    yield bytes
  }
  if (sentBytes !== sizeBytes) throw new Error(`${file} changed while it was sent`)
}

function header(name: string, mode: number, sizeBytes: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for this archive`)
  block.write(name, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(sizeBytes, 11), 124)
  // One date for all, so that the same parts make the same archive.
  block.write(octal(0, 11), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
