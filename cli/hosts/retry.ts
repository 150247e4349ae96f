import { AppError } from '../../shared/errors.ts'
import type { CallInput, CallName, CallOutput } from '../../shared/protocol.ts'
import type { Fleet } from './fleet.ts'

const ATTEMPTS = 5
const FIRST_PAUSE_MS = 200

/** Whether trying again later can help: the way to the host broke, the request itself was not refused. */
export function isConnectionTrouble(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'connection_lost' || error.code === 'host_unreachable')
}

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
export async function callAgain<N extends CallName>(
  { fleet, host, signal }: { fleet: Fleet; host: string; signal: AbortSignal },
  name: N,
  input: CallInput<N>,
): Promise<CallOutput<N>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const client = await fleet.open(host, { signal })
      return await client.call(name, input, { signal })
    } catch (error) {
      if (!isConnectionTrouble(error) || attempt >= ATTEMPTS || signal.aborted) throw error
      fleet.drop(host)
      await pause(FIRST_PAUSE_MS * 2 ** attempt, signal)
    }
  }
}
