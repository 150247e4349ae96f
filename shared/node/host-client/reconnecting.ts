import { AppError, fromWireError, toWireError } from '../../errors.ts'
import { eventMark, type WireEvent } from '../../protocol/records.ts'
import { backoffMs, defaultBackoff, type BackoffLimits } from './backoff.ts'
import {
  connectHost,
  type ConnectOptions,
  type HostConnection,
  type Resume,
  type Welcome,
} from './connection.ts'
import type { PartOutcome, Snapshot, SnapshotPart } from './snapshot-reader.ts'
import type { Call } from './pending-calls.ts'

/** How a host is doing, for people to see. `live` means connected; whether all events are here tells `headSeq`. */
export type LinkState =
  | { kind: 'connecting' }
  | { kind: 'live'; welcome: Welcome }
  /** `retryAt` is when the next try begins by itself (ms since the epoch). */
  | { kind: 'offline'; since: number; error: AppError; retryAt: number }
  /** Trying again is of no use before somebody did something; `wake()` tries. */
  | { kind: 'refused'; since: number; error: AppError }

/** What a link needs beside what one connection needs. */
export interface LinkOptions extends Omit<ConnectOptions, 'onEvents' | 'signal' | 'resume'> {
  /**
   * The last event that is safely kept here; without it the cursor at the host counts. `'none'` asks for no events,
   * `'snapshot'` for a snapshot whatever the cursor says.
   */
  resumeFrom?: number | 'none' | 'snapshot' | undefined
  /** `eventMark` of the event `resumeFrom`, so that a host which was restored from a backup is noticed. */
  resumeMark?: string | undefined
  /** The host that must answer; another one is refused. Learnt from the first welcome when absent. */
  hostId?: string | undefined
  /** Every event once, in order. Must have kept them when it returns: the link resumes after them. */
  onEvents?: ((events: WireEvent[]) => void) | undefined
  onState?: ((state: LinkState) => void) | undefined
  /** Runs before every try; what it throws (an AppError) counts as the try's failure. */
  beforeConnect?: ((signal: AbortSignal) => Promise<void>) | undefined
  backoff?: BackoffLimits | undefined
  /**
   * Hears what was thrown by this side and is no AppError. The try counts as failed then and the link goes on; without
   * this the bug ends the link as an unhandled rejection.
   */
  onBug?: ((error: unknown) => void) | undefined
}

/** A connection that comes back. */
export interface HostLink {
  state(): LinkState
  /** Calls on the live connection; without one `connection_lost`. A call is never made twice by the link. */
  call: Call
  /** The events up to `seq` are safely kept here; told to the host now or when it is back. */
  ack(seq: number): void
  /** The live connection, for what needs one and the same (uploads). */
  connection(): HostConnection | undefined
  /** Tries now; a try that has been under way for a while is begun again. */
  wake(): void
  /** Asks a live host for a sign of life; without one within `timeoutMs` the link is offline and tries again. */
  verify(timeoutMs: number): void
  /** Ends the link; resolves when its connection is closed. */
  dispose(): Promise<void>
}

/** A try older than this is not waited for when somebody says that things have changed. */
const STALE_TRY_MS = 1_000
/** A place that no database has reached, so that the host answers it with a snapshot. */
const BEYOND_EVERY_EVENT = Number.MAX_SAFE_INTEGER

/** Keeps a host connected: retries with backoff, resumes after the last event that was handed over, drops repeats. */
export function createHostLink(options: LinkOptions): HostLink {
  const { backoff = defaultBackoff } = options
  const ended = new AbortController()
  let state: LinkState = { kind: 'connecting' }
  let live: HostConnection | undefined
  let hostId = options.hostId
  let lastSeq = firstPlace(options.resumeFrom)
  let lastMark = options.resumeMark
  let ackSeq: number | undefined
  let attempt = 0
  let offlineSince: number | undefined
  let wakeUp: (() => void) | undefined
  let trying: { startedAt: number; cancel: AbortController } | undefined
  /** Another host than the expected one answered; nothing that it tells counts. */
  let isStranger = false

  function become(next: LinkState): void {
    state = next
    if (!ended.signal.aborted) options.onState?.(next)
  }

  function onWelcome(welcome: Welcome): void {
    hostId ??= welcome.hostId
    isStranger = welcome.hostId !== hostId
    if (!isStranger) options.onWelcome?.(welcome)
  }

  function onEvents(events: WireEvent[]): void {
    if (isStranger) return
    const fresh = events.filter((event) => event.seq > (lastSeq ?? -1))
    const newest = fresh.at(-1)
    if (newest === undefined) return
    options.onEvents?.(fresh)
    lastSeq = newest.seq
    lastMark = eventMark(newest)
  }

  function onSnapshot(snapshot: Snapshot): void {
    if (isStranger) return
    options.onSnapshot?.(snapshot)
    goTo(snapshot)
  }

  function onSnapshotPart(part: SnapshotPart): PartOutcome {
    if (isStranger) return undefined
    // One that breaks off is worth nothing: the next connection asks for a whole one.
    if (part.first) [lastSeq, lastMark] = [BEYOND_EVERY_EVENT, undefined]
    const outcome = options.onSnapshotPart?.(part)
    if (part.last && outcome !== 'again') goTo(part)
    return outcome
  }

  /** Also backwards: a host that was restored from a backup begins anew at an older place. */
  function goTo({ headSeq, mark }: Snapshot): void {
    lastSeq = headSeq
    lastMark = mark
    if (ackSeq !== undefined && ackSeq > lastSeq) ackSeq = undefined
  }

  async function connectOnce(): Promise<void> {
    become({ kind: 'connecting' })
    const connection = await connect()
    if (isStranger) {
      connection.close()
      throw otherHost(connection.welcome)
    }
    live = connection
    attempt = 0
    offlineSince = undefined
    // What was kept before this connection, or before it was known to be live, has yet to be said; unless the host went back.
    if (ackSeq !== undefined && ackSeq <= connection.welcome.headSeq) connection.ack(ackSeq)
    become({ kind: 'live', welcome: connection.welcome })
    const reason = await connection.closed
    live = undefined
    if (reason.kind !== 'closed_here') throw reason.error
  }

  function resume(): Resume | undefined {
    if (options.resumeFrom === 'none') return undefined
    return lastSeq === undefined ? {} : { fromSeq: lastSeq, mark: lastMark }
  }

  async function connect(): Promise<HostConnection> {
    const cancel = new AbortController()
    trying = { startedAt: performance.now(), cancel }
    const signal = AbortSignal.any([ended.signal, cancel.signal])
    try {
      await options.beforeConnect?.(signal)
      return await connectHost({
        ...options,
        resume: resume(),
        signal,
        onWelcome,
        onEvents,
        onSnapshot,
        onSnapshotPart: options.onSnapshotPart === undefined ? undefined : onSnapshotPart,
      })
    } finally {
      trying = undefined
    }
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        await connectOnce()
      } catch (error) {
        const failure = error instanceof AppError ? error : bug(error)
        if (!ended.signal.aborted && failure.code !== 'cancelled') await pause(failure)
      }
    }
  }

  function bug(error: unknown): AppError {
    if (options.onBug === undefined) throw error
    options.onBug(error)
    return fromWireError(toWireError(error))
  }

  async function pause(error: AppError): Promise<void> {
    const now = Date.now()
    const since = (offlineSince ??= now)
    const waitMs = needsSomebody(error) ? undefined : waitAfter(error)
    if (waitMs === undefined) become({ kind: 'refused', since, error })
    else become({ kind: 'offline', since, error, retryAt: now + waitMs })
    await new Promise<void>((resolve) => {
      const timer = waitMs === undefined ? undefined : setTimeout(resolve, waitMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
      if (ended.signal.aborted) wakeUp()
    })
    wakeUp = undefined
  }

  function waitAfter(error: AppError): number {
    const told = error.details?.['retryAfterSeconds']
    const least = error.code === 'rate_limited' && typeof told === 'number' ? told * 1_000 : 0
    return Math.max(least, backoffMs(attempt++, backoff, Math.random))
  }

  const running = run()
  return {
    state: () => state,
    call: (name, input, callOptions) =>
      live === undefined ? Promise.reject(notConnected()) : live.call(name, input, callOptions),
    ack(seq) {
      ackSeq = seq
      live?.ack(seq)
    },
    connection: () => live,
    wake() {
      attempt = 0
      wakeUp?.()
      // Made for a network that may be gone; whoever began just now may go on.
      if (trying !== undefined && performance.now() - trying.startedAt > STALE_TRY_MS) trying.cancel.abort()
    },
    verify: (timeoutMs) => live?.verify(timeoutMs),
    async dispose() {
      ended.abort()
      live?.close()
      wakeUp?.()
      await running
    },
  }
}

/** Whether only a person can change the outcome. */
function needsSomebody(error: AppError): boolean {
  return error.code === 'unauthorized' || error.code === 'protocol_mismatch' || error.code === 'host_unknown'
}

function firstPlace(resumeFrom: LinkOptions['resumeFrom']): number | undefined {
  if (resumeFrom === 'snapshot') return BEYOND_EVERY_EVENT
  return typeof resumeFrom === 'number' ? resumeFrom : undefined
}

function otherHost({ hostId }: Welcome): AppError {
  return new AppError({
    code: 'host_unknown',
    message: 'Another Handoff host answers at this address.',
    hint: 'When that is right, remove the host and add it again.',
    details: { hostId },
  })
}

function notConnected(): AppError {
  return new AppError({
    code: 'connection_lost',
    message: 'The host is not connected.',
    hint: 'Wait until it is back, then try again.',
  })
}
