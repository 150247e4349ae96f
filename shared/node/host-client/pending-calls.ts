import { AppError, fromWireError } from '../../errors.ts'
import {
  calls,
  MAX_CLIENT_MESSAGE_BYTES,
  STREAM_CREDIT_BYTES,
  type CallInput,
  type CallName,
  type CallOutput,
  type ClientMessage,
  type ServerMessage,
} from '../../protocol.ts'

/** One piece of a streamed answer. */
export type OnChunk = (data: Uint8Array, channel: 'bytes' | 'stdout' | 'stderr') => void | Promise<void>

/** How a call is made. */
export interface CallOptions {
  signal?: AbortSignal
  /** Without it a call may take as long as the connection lives. */
  timeoutMs?: number
  /** Called for one piece after the other; the host sends more only when what this returns has resolved. */
  onChunk?: OnChunk
}

/** Makes a call; rejects with the AppError of the host, `cancelled`, `timeout` or `connection_lost`. */
export type Call = <N extends CallName>(
  name: N,
  input: CallInput<N>,
  options?: CallOptions,
) => Promise<CallOutput<N>>

interface Pending {
  name: CallName
  onChunk: OnChunk | undefined
  /** Ends when every piece so far was taken. */
  taken: Promise<void>
  /** Bytes sent by the host that were not yet taken. */
  waitingBytes: number
  /** Bytes taken and not yet granted again. */
  owedBytes: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Grant in pieces of this size, not one message per chunk. */
const GRANT_BYTES = STREAM_CREDIT_BYTES / 4

/** The calls of one connection that wait for their answer. */
export function createPendingCalls({
  send,
  onViolation,
}: {
  send: (text: string) => void
  /** The host broke the protocol; the connection must end. */
  onViolation: (what: string) => void
}) {
  const pending = new Map<number, Pending>()
  let lastId = 0
  let lost: AppError | undefined

  const call: Call = (name, input, options = {}) => {
    const { signal, timeoutMs, onChunk } = options
    if (lost !== undefined) return Promise.reject(lost)
    if (signal?.aborted === true) return Promise.reject(cancelled())
    const id = (lastId += 1)
    const text = JSON.stringify({ t: 'call', id, name, input } satisfies ClientMessage)
    if (Buffer.byteLength(text) > MAX_CLIENT_MESSAGE_BYTES) return Promise.reject(tooLarge(name))
    return new Promise((resolve, reject) => {
      const stop = (error: AppError) => {
        if (!pending.has(id)) return
        send(JSON.stringify({ t: 'cancel', id } satisfies ClientMessage))
        settle(id, (entry) => entry.reject(error))
      }
      const abort = () => stop(cancelled())
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop(timedOut(name)), timeoutMs)
      const cleanUp = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      signal?.addEventListener('abort', abort)
      pending.set(id, {
        name,
        onChunk,
        taken: Promise.resolve(),
        waitingBytes: 0,
        owedBytes: 0,
        resolve(value) {
          cleanUp()
          // Checked against the call's own output schema just before.
          resolve(value as CallOutput<typeof name>)
        },
        reject(error) {
          cleanUp()
          reject(error as Error)
        },
      })
      send(text)
    })
  }

  /** Takes an entry out and finishes it; nothing happens when it is finished already. */
  function settle(id: number, finish: (entry: Pending) => void): void {
    const entry = pending.get(id)
    if (entry === undefined) return
    pending.delete(id)
    finish(entry)
  }

  function onResult(id: number, value: unknown): void {
    const entry = pending.get(id)
    if (entry === undefined) return
    const parsed = calls[entry.name].output.safeParse(value)
    // The answer counts only when all that came before it has been taken.
    void entry.taken.then(() =>
      settle(id, () => {
        if (parsed.success) entry.resolve(parsed.data)
        else entry.reject(unreadable(entry.name))
      }),
    )
  }

  function onChunkMessage({ id, data, channel }: Extract<ServerMessage, { t: 'chunk' }>): void {
    const entry = pending.get(id)
    if (entry === undefined) return
    const bytes = Buffer.from(data, 'base64')
    entry.waitingBytes += bytes.byteLength
    if (entry.waitingBytes + entry.owedBytes > STREAM_CREDIT_BYTES)
      return onViolation('sent more than was granted')
    entry.taken = entry.taken.then(() => take(id, entry, bytes, channel))
  }

  async function take(
    id: number,
    entry: Pending,
    bytes: Uint8Array,
    channel: Parameters<OnChunk>[1],
  ): Promise<void> {
    if (pending.get(id) !== entry) return
    try {
      await entry.onChunk?.(bytes, channel)
    } catch (error) {
      if (pending.has(id)) send(JSON.stringify({ t: 'cancel', id } satisfies ClientMessage))
      settle(id, () => entry.reject(error))
      return
    }
    entry.waitingBytes -= bytes.byteLength
    entry.owedBytes += bytes.byteLength
    if (entry.owedBytes < GRANT_BYTES || !pending.has(id)) return
    send(JSON.stringify({ t: 'credit', id, bytes: entry.owedBytes } satisfies ClientMessage))
    entry.owedBytes = 0
  }

  return {
    call,
    onResult,
    onChunk: onChunkMessage,
    onError(id: number, error: Extract<ServerMessage, { t: 'error' }>['error']): void {
      settle(id, (entry) => entry.reject(fromWireError(error)))
    },
    /** Ends everything that waits; later calls fail at once. */
    lose(error: AppError): void {
      lost = error
      for (const id of [...pending.keys()]) settle(id, (entry) => entry.reject(error))
    },
  }
}

function cancelled(): AppError {
  return new AppError({ code: 'cancelled', message: 'The call was cancelled.' })
}

function timedOut(name: CallName): AppError {
  return new AppError({
    code: 'timeout',
    message: `The host did not answer ${name} in time.`,
    hint: 'Try again; see `handoff doctor` when it stays so.',
  })
}

function tooLarge(name: CallName): AppError {
  return new AppError({
    code: 'too_large',
    message: `The input of ${name} is larger than ${MAX_CLIENT_MESSAGE_BYTES} bytes.`,
    hint: 'Shorten the text.',
  })
}

function unreadable(name: CallName): AppError {
  return new AppError({
    code: 'internal',
    message: `The host's answer to ${name} cannot be read by this version.`,
    hint: 'Update Handoff on the older side.',
  })
}
