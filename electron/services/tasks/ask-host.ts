import { randomBytes } from 'node:crypto'
import { AppError } from '../../../shared/errors.ts'
import type { CallInput, CallName, CallOutput } from '../../../shared/protocol.ts'
import type { HostService } from '../hosts/types.ts'

const ATTEMPTS = 4
const BACK_WITHIN_MS = 10_000

/** A name for one request, so that sending it twice carries it out once. */
export function newRequestId(): string {
  return `r-${randomBytes(12).toString('hex')}`
}

/** Whether the way to the host broke; neither the request nor this desk was refused. */
export function isConnectionTrouble(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'connection_lost' || error.code === 'host_unreachable')
}

/** Whether calls can be made on a host now. */
export function isConnected(hosts: HostService, host: string): boolean {
  return hosts.connection(host) !== undefined
}

/** Throws `host_unknown`, or `host_unreachable` with what the host's state says, unless calls can be made now. */
export function requireConnection(hosts: HostService, host: string): void {
  const known = hosts.get(host)
  if (known === undefined)
    throw new AppError({
      code: 'host_unknown',
      message: `There is no host called ${host}.`,
      hint: 'Add it under Hosts.',
    })
  if (isConnected(hosts, host)) return
  const why = 'error' in known.state ? ` ${known.state.error.message}` : ''
  throw new AppError({
    code: 'host_unreachable',
    message: `${host} is not connected.${why}`,
    hint: 'Try again when it is back, or look at it under Hosts.',
  })
}

/** A call that may be repeated: a read, or a change that carries a `requestId`. */
export interface HostCall<N extends CallName> {
  hosts: HostService
  host: string
  name: N
  input: CallInput<N>
  signal?: AbortSignal | undefined
  /** Of one attempt; default 60 000. */
  timeoutMs?: number
}

/**
 * Calls a host and, when the connection breaks meanwhile, calls again over the next one (the host carries a request with the
 * same id out once). Throws at once when the host is away to begin with, else what the last attempt threw.
 */
export async function callAgain<N extends CallName>(call: HostCall<N>): Promise<CallOutput<N>> {
  const { hosts, host, name, input, signal, timeoutMs = 60_000 } = call
  requireConnection(hosts, host)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await hosts.call(host)(name, input, { timeoutMs, ...(signal === undefined ? {} : { signal }) })
    } catch (error) {
      if (!isConnectionTrouble(error) || attempt >= ATTEMPTS || signal?.aborted === true) throw error
      await backSoon(hosts, host, error)
    }
  }
}

/** Waits for the next connection; when none comes in time, the error that lost the last one is the answer. */
async function backSoon(hosts: HostService, host: string, lost: unknown): Promise<void> {
  await hosts.whenLive(host, BACK_WITHIN_MS).catch((cause: unknown) => {
    const error = lost instanceof AppError ? lost : undefined
    throw new AppError(
      {
        code: 'connection_lost',
        message: error?.message ?? `The connection to ${host} was lost.`,
        hint: `Whether ${host} has done it is not known. Look at it when it is back, before you ask again.`,
      },
      { cause },
    )
  })
}
