import { randomUUID } from 'node:crypto'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { CHUNK_BYTES } from '../../shared/protocol/call-spec.ts'
import type { CallContext, SomeHandlers } from './call-context.ts'

type UploadCalls = 'upload.begin' | 'upload.chunk' | 'upload.drop'

/** Bounds of what clients may send as files. */
export interface UploadLimits {
  maxBytes: number
  perClient: number
  /** An upload that nobody goes on with is dropped after this. */
  idleMs: number
}

const defaultLimits: UploadLimits = { maxBytes: 16 * 2 ** 30, perClient: 8, idleMs: 3_600_000 }

interface Upload {
  id: string
  clientId: string
  path: string
  sizeBytes: number
  /** Bytes that were accepted in order; their writes may still be under way. */
  acceptedBytes: number
  writtenBytes: number
  file: FileHandle
  idleTimer: NodeJS.Timeout
  taken: boolean
  /** Stops listening for the end of the connection. */
  release: () => void
}

/** Files that clients send: 0600 under `folder`, gone when their connection ends before somebody took them. */
export function createUploads({
  folder,
  limits: some = {},
  freeBytes = freeBytesOf,
}: {
  folder: string
  limits?: Partial<UploadLimits>
  freeBytes?: (folder: string) => Promise<number>
}) {
  const limits = { ...defaultLimits, ...some }
  const uploads = new Map<string, Upload>()
  /** Begun and not yet in `uploads`, per client. */
  const opening = new Map<string, number>()

  async function begin(
    { sizeBytes }: { sizeBytes: number },
    context: CallContext,
  ): Promise<{ uploadId: string }> {
    const { clientId } = context.actor
    checkSize(sizeBytes)
    checkCount(clientId)
    opening.set(clientId, (opening.get(clientId) ?? 0) + 1)
    try {
      if ((await freeBytes(folder)) < sizeBytes) throw diskFull()
      const id = randomUUID()
      const file = await fs.open(path.join(folder, id), 'wx', 0o600).catch(rethrowDisk)
      const upload = register({ id, clientId, sizeBytes, file, connectionSignal: context.connectionSignal })
      if (context.connectionSignal.aborted) await remove(upload)
      return { uploadId: id }
    } finally {
      opening.set(clientId, (opening.get(clientId) ?? 1) - 1)
      if (opening.get(clientId) === 0) opening.delete(clientId)
    }
  }

  function register({
    id,
    clientId,
    sizeBytes,
    file,
    connectionSignal,
  }: Pick<Upload, 'id' | 'clientId' | 'sizeBytes' | 'file'> & { connectionSignal: AbortSignal }): Upload {
    const drop = () => {
      if (!upload.taken) void remove(upload)
    }
    connectionSignal.addEventListener('abort', drop, { once: true })
    const upload: Upload = {
      id,
      clientId,
      path: path.join(folder, id),
      sizeBytes,
      acceptedBytes: 0,
      writtenBytes: 0,
      file,
      idleTimer: setTimeout(drop, limits.idleMs).unref(),
      taken: false,
      release: () => connectionSignal.removeEventListener('abort', drop),
    }
    uploads.set(id, upload)
    return upload
  }

  async function chunk(
    { uploadId, offset, data }: { uploadId: string; offset: number; data: string },
    { actor }: CallContext,
  ): Promise<{ receivedBytes: number }> {
    const upload = mine(uploadId, actor.clientId)
    const bytes = decode(data)
    if (offset !== upload.acceptedBytes || bytes.byteLength > upload.sizeBytes - offset)
      throw new AppError({
        code: 'bad_request',
        message: 'This piece does not continue the upload.',
        details: { expectedOffset: upload.acceptedBytes },
      })
    upload.acceptedBytes += bytes.byteLength
    upload.idleTimer.refresh()
    try {
      await write(upload, bytes, offset)
    } catch (error) {
      await remove(upload)
      throw error
    }
    return { receivedBytes: upload.acceptedBytes }
  }

  async function write(upload: Upload, bytes: Buffer, offset: number): Promise<void> {
    for (let done = 0; done < bytes.byteLength;) {
      const rest = bytes.byteLength - done
      const { bytesWritten } = await upload.file.write(bytes, done, rest, offset + done).catch(rethrowDisk)
      done += bytesWritten
    }
    upload.writtenBytes += bytes.byteLength
    if (upload.writtenBytes === upload.sizeBytes) await upload.file.close().catch(rethrowDisk)
  }

  function mine(uploadId: string, clientId: string): Upload {
    const upload = uploads.get(uploadId)
    if (upload !== undefined && upload.clientId === clientId && !upload.taken) return upload
    throw new AppError({
      code: 'bad_request',
      message: 'There is no such upload.',
      hint: 'It was dropped when its connection ended; send the file again.',
    })
  }

  function checkSize(sizeBytes: number): void {
    if (sizeBytes > limits.maxBytes)
      throw new AppError({
        code: 'too_large',
        message: `The file has ${sizeBytes} bytes; this host takes at most ${limits.maxBytes}.`,
        hint: 'Send less history, for example from a shallow base.',
      })
  }

  function checkCount(clientId: string): void {
    const count = [...uploads.values()].filter((upload) => upload.clientId === clientId).length
    if (count + (opening.get(clientId) ?? 0) >= limits.perClient)
      throw new AppError({
        code: 'rate_limited',
        message: `This client has ${limits.perClient} uploads open already.`,
        hint: 'Finish or drop one first.',
      })
  }

  async function remove(upload: Upload): Promise<void> {
    if (!uploads.delete(upload.id)) return
    clearTimeout(upload.idleTimer)
    upload.release()
    // Closing twice is harmless: a finished upload is closed already.
    await upload.file.close().catch(() => undefined)
    await fs.rm(upload.path, { force: true })
  }

  const handlers: SomeHandlers<UploadCalls> = {
    'upload.begin': begin,
    'upload.chunk': chunk,
    'upload.drop': async ({ uploadId }, { actor }) => {
      await remove(mine(uploadId, actor.clientId))
      return {}
    },
  }

  return {
    handlers,
    /** The file of a complete upload of this client, which from now on stays until `discard`. */
    take(uploadId: string, clientId: string): string {
      const upload = mine(uploadId, clientId)
      if (upload.writtenBytes !== upload.sizeBytes)
        throw new AppError({
          code: 'bad_request',
          message: 'The upload is not complete.',
          details: { receivedBytes: upload.writtenBytes, sizeBytes: upload.sizeBytes },
        })
      upload.taken = true
      return upload.path
    },
    /** Removes an upload and its file; one that is gone is fine. */
    async discard(uploadId: string): Promise<void> {
      const upload = uploads.get(uploadId)
      if (upload !== undefined) await remove(upload)
    },
    async dispose(): Promise<void> {
      await Promise.all([...uploads.values()].map(remove))
    },
  }
}

/** The files that clients are sending. */
export type Uploads = ReturnType<typeof createUploads>

function decode(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64')
  // Node skips what is not base64, and so would the file.
  if (bytes.byteLength === 0 || bytes.byteLength > CHUNK_BYTES || bytes.toString('base64') !== data)
    throw new AppError({ code: 'bad_request', message: 'The piece is not base64 of 1 to 196608 bytes.' })
  return bytes
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await fs.statfs(folder)
  return bavail * bsize
}

function rethrowDisk(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw diskFull(error)
  throw error
}

function diskFull(cause?: unknown): AppError {
  return new AppError(
    {
      code: 'disk_full',
      message: 'The disk of the host has no room for this file.',
      hint: 'Free space there, for example with `handoff gc`, and send it again.',
    },
    { cause },
  )
}
