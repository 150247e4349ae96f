import { AppError } from '../../shared/errors.ts'
import { STREAM_CREDIT_BYTES } from '../../shared/protocol.ts'
import { CHUNK_BYTES } from '../../shared/protocol/call-spec.ts'
import type { CallContext } from './call-context.ts'
import type { Outbound } from './outbound.ts'

/**
 * The `write` of one streaming call: pieces of at most CHUNK_BYTES, never more under way than the client granted.
 * Writes of one call keep their order, also when several are started at once.
 */
export function createStreamWriter({
  id,
  outbound,
  signal,
}: {
  id: number
  outbound: Outbound
  signal: AbortSignal
}) {
  let creditBytes = STREAM_CREDIT_BYTES
  let granted: (() => void) | undefined
  let last: Promise<void> = Promise.resolve()

  /** Waits until `start` calls back; rejects when the call ends first. */
  function until(start: (ready: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = () => reject(goneError())
      signal.addEventListener('abort', gone, { once: true })
      start(() => {
        signal.removeEventListener('abort', gone)
        resolve()
      })
    })
  }

  async function send(data: Uint8Array, channel: Parameters<CallContext['write']>[1]): Promise<void> {
    let offset = 0
    while (offset < data.byteLength) {
      if (signal.aborted) throw goneError()
      if (creditBytes === 0) await until((ready) => (granted = ready))
      if (!outbound.hasRoom()) await until((ready) => outbound.whenRoom(ready))
      const size = Math.min(CHUNK_BYTES, creditBytes, data.byteLength - offset)
      creditBytes -= size
      const piece = Buffer.from(data.buffer, data.byteOffset + offset, size)
      offset += size
      outbound.send(`{"t":"chunk","id":${id},"channel":"${channel}","data":"${piece.toString('base64')}"}`)
    }
  }

  return {
    write(data: Uint8Array, channel: Parameters<CallContext['write']>[1]): Promise<void> {
      const mine = last.then(() => send(data, channel))
      last = mine.catch(() => undefined)
      return mine
    },
    /** The client can take `bytes` more. */
    grant(bytes: number): void {
      creditBytes = Math.min(creditBytes + bytes, 2 ** 31)
      granted?.()
      granted = undefined
    },
  }
}

function goneError(): AppError {
  return new AppError({ code: 'cancelled', message: 'The client no longer wants this answer.' })
}
