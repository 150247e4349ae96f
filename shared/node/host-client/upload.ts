import fs from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { CHUNK_BYTES } from '../../protocol/call-spec.ts'
import type { Call } from './pending-calls.ts'

/** Pieces that may be under way at once; enough to fill a long line, few enough to wait for. */
const WINDOW = 8

/**
 * Sends a file and answers the id under which the host keeps it until the connection ends. Throws the host's error, or
 * `cancelled`; the host has dropped the file then. `call` must always mean the same connection.
 */
export async function uploadFile({
  call,
  path,
  onProgress,
  signal,
}: {
  call: Call
  path: string
  onProgress?: (sentBytes: number, sizeBytes: number) => void
  signal?: AbortSignal
}): Promise<string> {
  const options = signal === undefined ? {} : { signal }
  const file = await fs.open(path, 'r')
  try {
    const { size: sizeBytes } = await file.stat()
    const { uploadId } = await call('upload.begin', { sizeBytes }, options)
    try {
      await sendPieces({ call, file, uploadId, sizeBytes, onProgress, options })
      return uploadId
    } catch (error) {
      // The host drops it by itself when the connection is gone or the disk was full.
      await call('upload.drop', { uploadId }).catch(() => undefined)
      throw error
    }
  } finally {
    await file.close()
  }
}

async function sendPieces({
  call,
  file,
  uploadId,
  sizeBytes,
  onProgress,
  options,
}: {
  call: Call
  file: fs.FileHandle
  uploadId: string
  sizeBytes: number
  onProgress: ((sentBytes: number, sizeBytes: number) => void) | undefined
  options: { signal?: AbortSignal }
}): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let sentBytes = 0
  const failures: unknown[] = []
  for (let offset = 0; offset < sizeBytes && failures.length === 0;) {
    const data = await readPiece(file, offset, sizeBytes)
    const piece = call('upload.chunk', { uploadId, offset, data: data.toString('base64') }, options).then(
      () => {
        sentBytes += data.byteLength
        onProgress?.(sentBytes, sizeBytes)
      },
      (error: unknown) => {
        failures.push(error)
      },
    )
    underWay.add(piece)
    void piece.finally(() => underWay.delete(piece))
    offset += data.byteLength
    if (underWay.size >= WINDOW) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
}

async function readPiece(file: fs.FileHandle, offset: number, sizeBytes: number): Promise<Buffer> {
  const wanted = Math.min(CHUNK_BYTES, sizeBytes - offset)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, offset)
  if (bytesRead === 0)
    throw new AppError({
      code: 'file_not_found',
      message: 'The file became shorter while it was sent.',
      hint: 'Send it again when nothing writes to it.',
    })
  return buffer.subarray(0, bytesRead)
}
