import type { ClientKind } from '../../domain/actor.ts'
import { AppError, fromWireError } from '../../errors.ts'
import {
  capabilities,
  CLOSE_TOKEN_REVOKED,
  HEARTBEAT_MS,
  PROTOCOL_VERSION,
  serverMessageSchema,
  type ClientMessage,
  type ServerMessage,
} from '../../protocol.ts'
import { type WireEvent } from '../../protocol/records.ts'
import { createInbound, nextTurn } from './inbound.ts'
import { watchLife } from './life.ts'
import { createPendingCalls, type Call } from './pending-calls.ts'
import {
  createSnapshotReader,
  snapshotMessageSchema,
  type SnapshotMessage,
  type SnapshotTaker,
} from './snapshot-reader.ts'
import { openTransport, type Transport, type TransportOptions } from './transport.ts'

/** What a host says of itself when it lets a client in. */
export type Welcome = Extract<ServerMessage, { t: 'welcome' }>
/** Something everybody who is connected should know at once. */
export type Notice = Extract<ServerMessage, { t: 'notice' }>

/** A place in the events of a host. */
export interface Resume {
  fromSeq?: number
  mark?: string | undefined
}

/** Who connects, where to, and what it wants to hear. */
export interface ConnectOptions extends Omit<TransportOptions, 'connectTimeoutMs'>, SnapshotTaker {
  clientId: string
  kind: ClientKind
  name: string
  version: string
  /**
   * Ask for events: after `fromSeq`, or after the cursor that the host keeps for this client id. With the `eventMark` of the event
   * `fromSeq`, a host whose event is another one sends a snapshot.
   */
  resume?: Resume | undefined
  /** Hears who answered before anything else is heard of it. Must not throw. */
  onWelcome?: ((welcome: Welcome) => void) | undefined
  /** Events in order, each once; a few at a time, with other work in between. Must not throw. */
  onEvents?: ((events: WireEvent[]) => void) | undefined
  onNotice?: ((notice: Notice) => void) | undefined
  /** Until `welcome`; 15 s unless told. */
  connectTimeoutMs?: number | undefined
  /** How often the host gives a sign of life; only tests change it. */
  heartbeatMs?: number | undefined
}

/** Why a connection ended. */
export type CloseReason =
  | { kind: 'closed_here' }
  | { kind: 'lost'; error: AppError }
  /** The host does not want this client (token revoked, protocol); connecting again is of no use. */
  | { kind: 'refused'; error: AppError }

/** A live connection to a host. */
export interface HostConnection {
  welcome: Welcome
  call: Call
  /** Tells the host that the events up to `seq` are safely kept here. */
  ack(seq: number): void
  /** Asks the host for a sign of life; a host that gives none within `timeoutMs` is lost. */
  verify(timeoutMs: number): void
  closed: Promise<CloseReason>
  close(): void
}

const CONNECT_TIMEOUT_MS = 15_000
/** Of what a host tells unasked. agentd keeps to half a megabyte; reading more would hold up everything else. */
const MAX_TOLD_BYTES = 8 * 1024 * 1024
/** What was asked for may be longer; agentd begins it like this. */
const RESULT_START = '{"t":"result"'
/** About ten milliseconds of keeping them. */
const EVENTS_PER_TURN = 64

/** Connects to a host and says hello; throws AppErrors, and never tries a second time. */
export async function connectHost(options: ConnectOptions): Promise<HostConnection> {
  const { signal, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const transport = await openTransport({ ...options, connectTimeoutMs })
  const session = createSession(transport, options)
  const abort = () => session.close()
  const timer = setTimeout(() => session.fail('did not answer hello in time'), connectTimeoutMs)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted === true) abort()
  const first = await Promise.race([session.welcomed, session.closed])
  clearTimeout(timer)
  if ('kind' in first) {
    signal?.removeEventListener('abort', abort)
    throw first.kind === 'closed_here'
      ? new AppError({ code: 'cancelled', message: 'Connecting was cancelled.' })
      : first.error
  }
  void session.closed.then(() => signal?.removeEventListener('abort', abort))
  return {
    welcome: first,
    call: session.call,
    ack: session.ack,
    verify: session.verify,
    closed: session.closed,
    close: session.close,
  }
}

function createSession(transport: Transport, options: ConnectOptions) {
  const { ws } = transport
  let welcome: (message: Welcome) => void = () => undefined
  let end: (reason: CloseReason) => void = () => undefined
  const welcomed = new Promise<Welcome>((resolve) => (welcome = resolve))
  const closed = new Promise<CloseReason>((resolve) => (end = resolve))
  const send = (text: string) => {
    if (ws.readyState === ws.OPEN) ws.send(text)
  }
  const calls = createPendingCalls({ send, onViolation: fail })
  const isOver = () => reason !== undefined
  const readSnapshot = createSnapshotReader({ taker: options, fail, isOver })
  const life = watchLife(ws, options.heartbeatMs ?? HEARTBEAT_MS, () => fail('gives no sign of life'))
  let reason: CloseReason | undefined

  /** The host misbehaves or is gone: end the connection and say why. */
  function fail(what: string): void {
    reason ??= { kind: 'lost', error: lostError(`The host ${what}.`) }
    ws.terminate()
  }

  /** A promise when it takes more than one turn of the event loop. */
  function handle(message: Readable, sizeBytes: number): Promise<void> | undefined {
    switch (message.t) {
      case 'events':
        return tellEvents(message.events)
      case 'snapshot':
        return readSnapshot(message, sizeBytes)
      default:
        answer(message)
        return undefined
    }
  }

  function answer(message: Exclude<Readable, { t: 'events' | 'snapshot' }>): void {
    switch (message.t) {
      case 'welcome':
        if (message.protocol !== PROTOCOL_VERSION) {
          reason ??= { kind: 'refused', error: otherProtocol(message.protocol) }
          return ws.close()
        }
        options.onWelcome?.(message)
        return welcome(message)
      case 'refused':
        reason ??= { kind: 'refused', error: fromWireError(message.error) }
        return ws.close()
      case 'result':
        return calls.onResult(message.id, message.value)
      case 'error':
        return calls.onError(message.id, message.error)
      case 'chunk':
        return calls.onChunk(message)
      case 'notice':
        return options.onNotice?.(message)
    }
  }

  function tellEvents(events: WireEvent[]): Promise<void> | undefined {
    if (events.length > EVENTS_PER_TURN) return tellInTurns(events)
    options.onEvents?.(events)
    return undefined
  }

  async function tellInTurns(events: WireEvent[]): Promise<void> {
    for (let at = 0; at < events.length && !isOver(); at += EVENTS_PER_TURN) {
      options.onEvents?.(events.slice(at, at + EVENTS_PER_TURN))
      await nextTurn()
    }
  }

  const inbound = createInbound({
    ws,
    onResume: () => life.heard(),
    handle(data, isBinary) {
      life.heard()
      if (isOver()) return undefined
      const text = isBinary ? '' : data.toString()
      if (text.length > MAX_TOLD_BYTES && !text.startsWith(RESULT_START))
        fail('sent a message that is too large')
      else {
        const message = readMessage(text)
        if (message === 'unreadable') fail('sent something that cannot be read')
        else if (message !== 'unknown') return handle(message, text.length)
      }
      return undefined
    },
  })
  ws.on('error', (error) => {
    reason ??= { kind: 'lost', error: lostError('The connection to the host broke.', error) }
  })
  // What arrived before the end is still told.
  ws.on('close', (code) => inbound.idle(() => void onClose(code)))

  async function onClose(code: number): Promise<void> {
    life.end()
    const why: CloseReason = reason ??
      closeReason(code) ?? {
        kind: 'lost',
        error: (await transport.whyEnded()) ?? lostError(`The host closed the connection (${code}).`),
      }
    calls.lose(why.kind === 'closed_here' ? lostError('The connection was closed.') : lostBecause(why.error))
    end(why)
  }

  send(JSON.stringify(helloOf(options)))
  return {
    welcomed,
    closed,
    call: calls.call,
    ack: (seq: number) => send(JSON.stringify({ t: 'ack', seq } satisfies ClientMessage)),
    verify: life.verify,
    fail,
    close(): void {
      reason ??= { kind: 'closed_here' }
      ws.close(1000)
      // ws waits 30 s for the other side; nobody here does.
      setTimeout(() => ws.terminate(), 1_000).unref()
    },
  }
}

function helloOf({ clientId, kind, name, version, resume }: ConnectOptions): ClientMessage {
  return {
    t: 'hello',
    protocol: PROTOCOL_VERSION,
    clientId,
    kind,
    name,
    version,
    capabilities: [...capabilities],
    resume,
  }
}

const knownTypes: ReadonlySet<unknown> = new Set(
  serverMessageSchema.options.map((option) => option.shape.t.value),
)

/** A message as it is read: the rows of a snapshot are looked at later, a few at a time. */
type Readable = Exclude<ServerMessage, { t: 'snapshot' }> | SnapshotMessage

/** A kind of message that only a newer host knows is skipped; anything else that does not fit is unreadable. */
function readMessage(text: string): Readable | 'unknown' | 'unreadable' {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'unreadable'
  }
  const type = typeof value === 'object' && value !== null && 't' in value ? value.t : undefined
  const parsed =
    type === 'snapshot' ? snapshotMessageSchema.safeParse(value) : serverMessageSchema.safeParse(value)
  if (parsed.success) return parsed.data
  return typeof type === 'string' && !knownTypes.has(type) ? 'unknown' : 'unreadable'
}

/** What agentd says with the close code alone, in case its `refused` message did not arrive. */
function closeReason(code: number): CloseReason | undefined {
  if (code !== CLOSE_TOKEN_REVOKED) return undefined
  const error = new AppError({
    code: 'unauthorized',
    message: 'The token of this connection was revoked.',
    hint: 'Make a new one on the host with `handoff agentd token create`.',
  })
  return { kind: 'refused', error }
}

function otherProtocol(host: number): AppError {
  return new AppError({
    code: 'protocol_mismatch',
    message: `The host speaks protocol ${host}, this program ${PROTOCOL_VERSION}.`,
    hint: 'Update Handoff on the older side.',
    details: { host, client: PROTOCOL_VERSION },
  })
}

function lostError(message: string, cause?: unknown): AppError {
  return new AppError(
    {
      code: 'connection_lost',
      message,
      hint: 'What was asked may have been done; look before asking again.',
    },
    { cause },
  )
}

/** Calls that were under way have lost their connection, whatever the reason was. */
function lostBecause(error: AppError): AppError {
  return error.code === 'connection_lost' ? error : lostError(error.message, error)
}
