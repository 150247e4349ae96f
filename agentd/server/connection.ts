import type { RawData, WebSocket } from 'ws'
import type { Role } from '../../shared/domain/actor.ts'
import { AppError, toWireError } from '../../shared/errors.ts'
import {
  capabilities,
  clientMessageSchema,
  PROTOCOL_VERSION,
  type ClientMessage,
  type ServerMessage,
} from '../../shared/protocol.ts'
import { createAcknowledgements } from './acknowledgements.ts'
import { createCallRunner, type CallRunner } from './call-runner.ts'
import type { CallContext, Handlers } from './call-context.ts'
import type { EventFrames } from './event-frames.ts'
import type { ServerLimits } from './limits.ts'
import type { Logger } from '../log.ts'
import { createOutbound } from './outbound.ts'
import type { PresenceRegistry, PresentConnection } from './presence.ts'
import { createSubscription, type Subscription, type SubscriptionStore } from './subscription.ts'

/** How a connection was admitted. */
export interface Grant {
  role: Role
  via: 'socket' | 'token'
  tokenId: string | undefined
}

/** What all connections of a server share. */
export interface ConnectionNeeds {
  handlers: Handlers
  store: SubscriptionStore
  frames: EventFrames
  presence: PresenceRegistry
  host: { hostId: string; name: string; version: string }
  limits: ServerLimits
  log: Logger
}

/** A client that said hello. */
interface Session {
  runner: CallRunner
  subscription: Subscription | undefined
  acks: ReturnType<typeof createAcknowledgements>
}

type Hello = Extract<ClientMessage, { t: 'hello' }>

const CLOSE_GOING_AWAY = 1001
const CLOSE_POLICY = 1008
const CLOSE_INTERNAL = 1011
const CLOSE_GRACE_MS = 1_000

/** Speaks the protocol with one client, from `hello` to the end of its connection. */
export function createConnection({
  ws,
  grant,
  needs,
  onEnd,
}: {
  ws: WebSocket
  grant: Grant
  needs: ConnectionNeeds
  onEnd: () => void
}) {
  const { presence, limits, log } = needs
  const ended = new AbortController()
  const outbound = createOutbound({ ws, limits, onStuck: () => ws.terminate() })
  const helloTimer = setTimeout(
    () => refuse(new AppError({ code: 'timeout', message: 'No hello in time.' }), CLOSE_POLICY),
    limits.helloDeadlineMs,
  )
  let session: Session | undefined
  let badFrames = 0
  let heardAt = Date.now()

  const send = (message: ServerMessage) => outbound.send(JSON.stringify(message))

  function refuse(error: AppError, closeCode: number): void {
    send({ t: 'refused', error: toWireError(error) })
    close(closeCode)
  }

  function close(code: number): void {
    ws.close(code)
    endSoon()
  }

  /** ws itself waits 30 s for the other side's close frame; a hostile client would hold its place that long. */
  function endSoon(): void {
    setTimeout(() => ws.terminate(), CLOSE_GRACE_MS).unref()
  }

  function badFrame(message: string): void {
    badFrames += 1
    send({ t: 'error', id: 0, error: { code: 'bad_request', message } })
    if (badFrames >= limits.badFrames) close(CLOSE_POLICY)
  }

  function welcome(hello: Hello): void {
    clearTimeout(helloTimer)
    session = createSession({ hello, grant, needs, outbound, connectionSignal: ended.signal, onFailure })
    send({
      t: 'welcome',
      protocol: PROTOCOL_VERSION,
      hostId: needs.host.hostId,
      hostName: needs.host.name,
      version: needs.host.version,
      capabilities: [...capabilities],
      role: grant.role,
      headSeq: needs.store.events.headSeq(),
    })
    presence.introduced()
    session.subscription?.start()
  }

  function onFailure(error: unknown): void {
    log.error({ err: error }, 'events could not be read for a client')
    close(CLOSE_INTERNAL)
  }

  function onMessage(data: RawData, isBinary: boolean): void {
    heardAt = Date.now()
    if (ws.readyState !== ws.OPEN) return
    if (isBinary) return badFrame('Messages are text.')
    const value = parseJson(data)
    const mismatch = session === undefined ? otherProtocol(value) : undefined
    if (mismatch !== undefined) return refuse(mismatch, CLOSE_POLICY)
    const parsed = clientMessageSchema.safeParse(value)
    if (!parsed.success) return unreadable()
    if (session !== undefined) handle(session, parsed.data)
    else if (parsed.data.t === 'hello') welcome(parsed.data)
    else unreadable()
  }

  function unreadable(): void {
    if (session !== undefined) return badFrame('The message is not one of the protocol.')
    refuse(new AppError({ code: 'bad_request', message: 'The first message must be hello.' }), CLOSE_POLICY)
  }

  function handle({ runner, subscription, acks }: Session, message: ClientMessage): void {
    switch (message.t) {
      case 'hello':
        return badFrame('hello was said before.')
      case 'call':
        if (!runner.start(message)) badFrame('The id of this call is in use.')
        return
      case 'cancel':
        return runner.cancel(message.id)
      case 'credit':
        return runner.grant(message.id, message.bytes)
      case 'ack':
        // Only what was sent can have been kept.
        if (subscription === undefined || message.seq > subscription.sentSeq())
          return badFrame('These events were never sent here.')
        return acks.ack(message.seq)
    }
  }

  const present: PresentConnection = {
    tokenId: grant.tokenId,
    role: () => (session === undefined ? undefined : grant.role),
    send,
    refuse,
  }
  presence.add(present)
  ws.on('message', (data, isBinary) => {
    try {
      onMessage(data, isBinary)
    } catch (error) {
      log.error({ err: error }, 'a message could not be handled because of a bug')
      close(CLOSE_INTERNAL)
    }
  })
  ws.on('pong', () => (heardAt = Date.now()))
  ws.on('ping', () => (heardAt = Date.now()))
  ws.on('error', (error) => {
    log.debug({ err: error }, 'a connection broke')
    endSoon()
  })
  ws.on('close', () => {
    clearTimeout(helloTimer)
    ended.abort()
    session?.runner.abortAll()
    session?.subscription?.end()
    session?.acks.flush()
    outbound.dispose()
    presence.remove(present)
    onEnd()
  })

  return {
    /** Events were committed. */
    wake: () => session?.subscription?.wake(),
    /** Pings, or ends a connection that was silent for two heartbeats. */
    beat(): void {
      // While data waits for a slow client its pong waits too; then outbound decides whether it is gone.
      if (outbound.hasRoom() && Date.now() - heardAt > 2 * limits.heartbeatMs) ws.terminate()
      else if (ws.readyState === ws.OPEN) ws.ping()
    },
    /** Lets running calls end, takes no new ones. */
    finish: () => session?.runner.finish() ?? Promise.resolve(),
    /** Ends the connection because agentd stops. */
    goAway: () => close(CLOSE_GOING_AWAY),
    terminate: () => ws.terminate(),
  }
}

/** One client's connection. */
export type Connection = ReturnType<typeof createConnection>

function createSession({
  hello,
  grant,
  needs,
  outbound,
  connectionSignal,
  onFailure,
}: {
  hello: Hello
  grant: Grant
  needs: ConnectionNeeds
  outbound: ReturnType<typeof createOutbound>
  connectionSignal: AbortSignal
  onFailure: (error: unknown) => void
}): Session {
  const { handlers, store, frames, limits, log } = needs
  const { clientId, kind, name, resume } = hello
  const actor: CallContext['actor'] = {
    kind: 'client',
    clientId,
    clientKind: kind,
    name,
    role: grant.role,
    via: grant.via,
  }
  return {
    runner: createCallRunner({
      handlers,
      outbound,
      identity: { actor, role: grant.role },
      connectionSignal,
      limit: limits.runningCalls,
      log,
    }),
    subscription:
      resume &&
      createSubscription({
        store,
        frames,
        outbound,
        consumer: clientId,
        fromSeq: resume.fromSeq,
        endedTasks: limits.snapshotEndedTasks,
        onFailure,
      }),
    acks: createAcknowledgements({
      cursors: store.cursors,
      consumer: clientId,
      delayMs: limits.ackDelayMs,
      log,
    }),
  }
}

/** The JSON value of a message; undefined, which no message is, when it is not JSON. */
function parseJson(data: RawData): unknown {
  try {
    return JSON.parse(data.toString())
  } catch {
    return undefined
  }
}

/** A hello of another protocol version may look different otherwise, so only these two fields are read. */
function otherProtocol(value: unknown): AppError | undefined {
  if (typeof value !== 'object' || value === null || !('t' in value) || !('protocol' in value))
    return undefined
  if (value.t !== 'hello' || !Number.isSafeInteger(value.protocol) || value.protocol === PROTOCOL_VERSION)
    return undefined
  return new AppError({
    code: 'protocol_mismatch',
    message: `This host speaks protocol ${PROTOCOL_VERSION}, the client ${value.protocol}.`,
    hint: 'Update Handoff on the older side.',
    details: { host: PROTOCOL_VERSION, client: value.protocol },
  })
}
