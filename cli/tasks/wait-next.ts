import { AppError } from '../../shared/errors.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { backoffMs } from '../../shared/node/host-client/backoff.ts'
import type { Fleet } from '../hosts/fleet.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { isConnectionTrouble, pause, refusal } from '../hosts/retry.ts'

/** What woke a wait, and where. */
export interface Woken {
  host: string
  client: HostClient
  answer: CallOutput<'wait.next'>
}

/** Tasks to wait for on a host; an empty list means all of them. */
export interface WaitGroup {
  host: string
  taskIds: string[]
}

const BACKOFF = { firstMs: 300, maxMs: 15_000 }

/**
 * The first event that needs this consumer on any of the hosts. Goes on through any number of disconnects; `onTrouble`
 * hears of the first one of each host, and of its return. Rejects with `cancelled` when the signal fires.
 */
export async function waitNext({
  fleet,
  groups,
  consumer,
  until,
  signal,
  onTrouble,
}: {
  fleet: Fleet
  groups: readonly WaitGroup[]
  consumer: string
  until: 'wake' | 'over'
  signal: AbortSignal
  onTrouble: (host: string, error: AppError | undefined) => void
}): Promise<Woken> {
  const others = new AbortController()
  const both = AbortSignal.any([signal, others.signal])
  try {
    return await Promise.race(
      groups.map((group) => waitOnHost({ fleet, group, consumer, until, signal: both, onTrouble })),
    )
  } finally {
    // An event that another host had ready at the same moment was not acknowledged: the next wait gets it.
    others.abort()
  }
}

async function waitOnHost({
  fleet,
  group: { host, taskIds },
  consumer,
  until,
  signal,
  onTrouble,
}: {
  fleet: Fleet
  group: WaitGroup
  consumer: string
  until: 'wake' | 'over'
  signal: AbortSignal
  onTrouble: (host: string, error: AppError | undefined) => void
}): Promise<Woken> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const client = await fleet.open(host, { signal })
      if (attempt > 0) onTrouble(host, undefined)
      attempt = 0
      const answer = await client.call('wait.next', { consumer, tasks: taskIds, until }, { signal })
      return { host, client, answer }
    } catch (error) {
      if (signal.aborted) throw cancelled(error)
      if (!isConnectionTrouble(error)) throw refusal(error) ?? error
      fleet.drop(host)
      if (attempt === 0) onTrouble(host, error as AppError)
      await pause(backoffMs(attempt, BACKOFF, Math.random), signal)
      if (signal.aborted) throw cancelled(error)
    }
  }
}

function cancelled(cause: unknown): AppError {
  return new AppError({ code: 'cancelled', message: 'The wait was cancelled.' }, { cause })
}
