import type { Role } from '../../shared/domain/actor.ts'
import {
  capabilities,
  PROTOCOL_VERSION,
  type ClientMessage,
  type ServerMessage,
} from '../../shared/protocol.ts'
import type { Logger } from '../log.ts'
import { createAcknowledgements } from './acknowledgements.ts'
import type { CallContext, Handlers } from './call-context.ts'
import { createCallRunner } from './call-runner.ts'
import type { EventFrames } from './event-frames.ts'
import type { ServerLimits } from './limits.ts'
import type { Outbound } from './outbound.ts'
import { createSubscription, type SubscriptionStore } from './subscription.ts'

/** How a connection was admitted. */
export interface Grant {
  role: Role
  via: 'socket' | 'token'
  tokenId: string | undefined
}

/** What all sessions of a server share. */
export interface SessionNeeds {
  handlers: Handlers
  store: SubscriptionStore
  frames: EventFrames
  host: { hostId: string; name: string; version: string }
  limits: ServerLimits
  log: Logger
}

/** The first message of a client. */
export type Hello = Extract<ClientMessage, { t: 'hello' }>

/** A client that said hello: its calls, its events and how far it has kept them. */
export function createSession({
  hello,
  grant,
  needs,
  outbound,
  connectionSignal,
  onBadFrame,
  onFailure,
}: {
  hello: Hello
  grant: Grant
  needs: SessionNeeds
  outbound: Outbound
  connectionSignal: AbortSignal
  onBadFrame: (message: string) => void
  /** Events could not be read; the connection has to end. */
  onFailure: (error: unknown) => void
}) {
  const { store, limits } = needs
  const runner = runnerOf({ hello, grant, needs, outbound, connectionSignal })
  const subscription = hello.resume && subscriptionOf({ hello, grant, needs, outbound, onFailure })
  const acks = createAcknowledgements({
    cursors: store.cursors,
    consumer: ownClientId(hello, grant),
    delayMs: limits.ackDelayMs,
    log: needs.log,
  })

  function onAck(seq: number): void {
    // Only what was sent can have been kept.
    if (subscription === undefined || seq > subscription.sentSeq())
      onBadFrame('These events were never sent here.')
    else acks.ack(seq)
  }

  return {
    /** Answers hello and begins to send events. */
    start(): void {
      outbound.send(JSON.stringify(welcomeOf(needs, grant)))
      subscription?.start()
    },
    handle(message: ClientMessage): void {
      switch (message.t) {
        case 'hello':
          return onBadFrame('hello was said before.')
        case 'call':
          if (!runner.start(message)) onBadFrame('The id of this call is in use.')
          return
        case 'cancel':
          return runner.cancel(message.id)
        case 'credit':
          return runner.grant(message.id, message.bytes)
        case 'ack':
          return onAck(message.seq)
      }
    },
    /** Events were committed. */
    wake: () => subscription?.wake(),
    /** Lets running calls end, takes no new ones. */
    finish: () => runner.finish(),
    end(): void {
      runner.abortAll()
      subscription?.end()
      acks.flush()
    },
  }
}

/** A client that said hello. */
export type Session = ReturnType<typeof createSession>

function welcomeOf({ host, store }: SessionNeeds, grant: Grant): ServerMessage {
  return {
    t: 'welcome',
    protocol: PROTOCOL_VERSION,
    hostId: host.hostId,
    hostName: host.name,
    version: host.version,
    capabilities: [...capabilities],
    role: grant.role,
    headSeq: store.events.headSeq(),
  }
}

const LONGEST_CLIENT_ID = 64

/**
 * Who a client is on this host. A client says its id itself; one that came with a token gets the token's in front, so that
 * it can neither move the cursor of another nor answer in its name.
 */
export function ownClientId(
  { clientId }: Pick<Hello, 'clientId'>,
  { tokenId }: Pick<Grant, 'tokenId'>,
): string {
  return tokenId === undefined ? clientId : `${tokenId}.${clientId}`.slice(0, LONGEST_CLIENT_ID)
}

function runnerOf({
  hello,
  grant,
  needs: { handlers, limits, log },
  outbound,
  connectionSignal,
}: {
  hello: Hello
  grant: Grant
  needs: SessionNeeds
  outbound: Outbound
  connectionSignal: AbortSignal
}) {
  const { role, via } = grant
  const { kind: clientKind, name } = hello
  const clientId = ownClientId(hello, grant)
  const actor: CallContext['actor'] = { kind: 'client', clientId, clientKind, name, role, via }
  const identity = { actor, role }
  return createCallRunner({ handlers, outbound, identity, connectionSignal, limit: limits.runningCalls, log })
}

function subscriptionOf({
  hello,
  grant,
  needs: { store, frames, limits },
  outbound,
  onFailure,
}: {
  hello: Hello
  grant: Grant
  needs: SessionNeeds
  outbound: Outbound
  onFailure: (error: unknown) => void
}) {
  return createSubscription({
    store,
    frames,
    outbound,
    consumer: ownClientId(hello, grant),
    from: hello.resume ?? {},
    endedTasks: limits.snapshotEndedTasks,
    onFailure,
  })
}
