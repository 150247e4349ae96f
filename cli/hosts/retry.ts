import { AppError } from '../../shared/errors.ts'
import type { CallInput, CallName, CallOutput } from '../../shared/protocol.ts'
import type { Fleet } from './fleet.ts'
import type { HostClient } from './host-client.ts'

const ATTEMPTS = 5
const FIRST_PAUSE_MS = 200

/** Whether trying again later can help: the way to the host broke, neither the request nor this client was refused. */
export function isConnectionTrouble(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  if (error.code === 'host_unreachable') return true
  return error.code === 'connection_lost' && refusal(error) === undefined
}

/** Why the host ended a connection on purpose (a revoked token), when that is what a call was lost by. */
export function refusal(error: unknown): AppError | undefined {
  if (!(error instanceof AppError) || error.code !== 'connection_lost') return undefined
  const { cause } = error
  return cause instanceof AppError && FINAL.has(cause.code) ? cause : undefined
}

const FINAL: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'protocol_mismatch'])

/** Waits; resolves early (without an error) when the signal fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/**
 * A call that may be sent again after the connection broke: reads, and changes that carry a `requestId` (the host carries
 * the same request out once).
 */
export function callAgain<N extends CallName>(
  where: Where,
  name: N,
  input: CallInput<N>,
): Promise<CallOutput<N>> {
  return again(where, (client) => client.call(name, input, { signal: where.signal }))
}

/** Where to, until when. */
export interface Where {
  fleet: Fleet
  host: string
  signal: AbortSignal
}

/** Does work on a host, from its beginning over a new connection when the connection broke; a few times, some seconds in all. */
export async function again<T>(
  { fleet, host, signal }: Where,
  work: (client: HostClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(await fleet.open(host, { signal }))
    } catch (error) {
      if (!isConnectionTrouble(error) || attempt >= ATTEMPTS || signal.aborted) throw error
      fleet.drop(host)
      await pause(FIRST_PAUSE_MS * 2 ** attempt, signal)
    }
  }
}
