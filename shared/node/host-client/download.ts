import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { OnChunk } from './pending-calls.ts'

/** Takes a streamed answer into a stream at the speed of that stream; does not end it. */
export function chunksInto(stream: Writable): OnChunk {
  return async (data) => {
    if (!stream.write(data)) await once(stream, 'drain')
  }
}

/**
 * Takes a streamed answer into a new file (0600): `run` makes the call with the `onChunk` it is given. The file is
 * complete and closed when the promise resolves, and gone when it rejects; it must not exist before.
 */
export async function downloadFile<T>(path: string, run: (onChunk: OnChunk) => Promise<T>): Promise<T> {
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(stream, 'open')
  // Also settles when the disk is full; without it that error would have no listener between two pieces.
  const done = finished(stream)
  done.catch(() => undefined)
  try {
    const result = await run(chunksInto(stream))
    stream.end()
    await done
    return result
  } catch (error) {
    stream.destroy()
    await rm(path, { force: true })
    throw error
  }
}
