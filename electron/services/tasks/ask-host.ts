import { randomBytes } from 'node:crypto'
import { AppError } from '../../../shared/errors.ts'
import type { CallInput, CallName, CallOutput } from '../../../shared/protocol.ts'
import { unknownHost } from '../hosts/host-errors.ts'
import type { HostService } from '../hosts/types.ts'

const ATTEMPTS = 4
const BACK_WITHIN_MS = 10_000
/** Who looks at a window does not wait longer for what is only read. */
const ANSWER_WITHIN_MS = 30_000

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
  if (known === undefined) throw unknownHost(host)
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
  /** Of one attempt; default 30 000. A read takes no longer in all. */
  timeoutMs?: number
}

/**
 * Calls a host and, when the connection breaks meanwhile, calls again over the next one (the host carries a request with the
 * same id out once). Throws at once when the host is away to begin with, else what the last attempt threw; of a change that may
 * have reached the host the error says so.
 */
export async function callAgain<N extends CallName>(call: HostCall<N>): Promise<CallOutput<N>> {
  const { hosts, host, name, input, signal, timeoutMs = ANSWER_WITHIN_MS } = call
  requireConnection(hosts, host)
  const isChange = 'requestId' in input || name === 'rule.revoke'
  const endsAt = performance.now() + (isChange ? Infinity : timeoutMs)
  const leftMs = (atMostMs: number) => Math.min(atMostMs, Math.max(0, endsAt - performance.now()))
  for (let attempt = 1; ; attempt += 1) {
    try {
      const options = { timeoutMs: leftMs(timeoutMs), ...(signal === undefined ? {} : { signal }) }
      return await hosts.call(host)(name, input, options)
    } catch (error) {
      const isOver = attempt >= ATTEMPTS || signal?.aborted === true || leftMs(1) === 0
      if (!isConnectionTrouble(error) || isOver) throw withDoubt(error, host, isChange)
      await orAborted(backSoon({ hosts, host, lost: error, withinMs: leftMs(BACK_WITHIN_MS) }), signal).catch(
        (cause: unknown) => {
          throw withDoubt(cause, host, isChange)
        },
      )
    }
  }
}

/** What is said of a host that did not answer in time, or that the person did not wait for. */
function withDoubt(error: unknown, host: string, isChange: boolean): unknown {
  if (!(error instanceof AppError) || (error.code !== 'timeout' && error.code !== 'cancelled')) return error
  const { code } = error
  const message =
    code === 'timeout' ? `${host} does not answer.` : `This did not wait any longer for ${host}.`
  const hint = isChange
    ? `It may have reached ${host}. What became of it is seen here when ${host} answers; look before you ask again.`
    : `Try again; when it stays so, look at ${host} under Hosts.`
  return new AppError({ code, message, hint }, { cause: error })
}

/** Waits no longer than until the signal says so; throws `cancelled` then. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AppError({ code: 'cancelled', message: 'This was cancelled.' }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Waits for the next connection; when none comes in time, the error that lost the last one is the answer. */
async function backSoon({
  hosts,
  host,
  lost,
  withinMs,
}: {
  hosts: HostService
  host: string
  lost: unknown
  withinMs: number
}): Promise<void> {
  await hosts.whenLive(host, withinMs).catch((cause: unknown) => {
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
