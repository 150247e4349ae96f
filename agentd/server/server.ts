import type http from 'node:http'
import type { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { createAdmission, type AdmissionRules } from './admission.ts'
import type { Handlers } from './call-context.ts'
import { createConnection, type Connection } from './connection.ts'
import { createEventFrames, type EventFeed } from './event-frames.ts'
import { createFailureLimit } from './failure-limit.ts'
import { createHttpListener } from './http-listener.ts'
import { defaultLimits, type ServerLimits } from './limits.ts'
import { resolveListenAddress, type ListenAddress } from './listen-address.ts'
import type { Logger } from '../log.ts'
import type { PresenceRegistry } from './presence.ts'
import type { Grant } from './session.ts'
import type { SubscriptionStore } from './subscription.ts'
import type { Tokens } from './tokens.ts'
import { listenOnPort, listenOnSocket } from './unix-listener.ts'

/** What the server is made of; everything is shared by all of its listeners. */
export interface ServerNeeds {
  handlers: Handlers
  store: SubscriptionStore
  feed: EventFeed
  tokens: Pick<Tokens, 'verify' | 'used'>
  presence: PresenceRegistry
  host: { hostId: string; name: string; version: string }
  now: () => number
  log: Logger
  limits?: Partial<ServerLimits>
}

interface Listener {
  server: http.Server
  destroySockets(): void
  where: string
}

/** Lets clients in, over a Unix socket and where asked over TCP, and speaks the protocol with them. */
export function createServer(needs: ServerNeeds) {
  const { presence, log, now } = needs
  const limits: ServerLimits = { ...defaultLimits, ...needs.limits }
  const frames = createEventFrames({ events: needs.store.events, limits })
  const failures = createFailureLimit({ failures: limits.authFailures, windowMs: limits.authWindowMs, now })
  const connections = new Set<Connection>()
  const listeners: Listener[] = []
  let heart: NodeJS.Timeout | undefined
  let wakePending = false

  function onConnection(ws: WebSocket, grant: Grant): void {
    const connection = createConnection({
      ws,
      grant,
      needs: { ...needs, frames, limits },
      onEnd: () => {
        connections.delete(connection)
        if (connections.size > 0) return
        clearInterval(heart)
        heart = undefined
      },
    })
    connections.add(connection)
    heart ??= setInterval(() => {
      for (const one of connections) one.beat()
    }, limits.heartbeatMs)
  }

  const unsubscribe = needs.feed.onCommitted(() => {
    frames.changed()
    if (wakePending) return
    wakePending = true
    // Several commits of one turn become one message, and no client's trouble can reach the one who committed.
    queueMicrotask(() => {
      wakePending = false
      for (const connection of connections) connection.wake()
    })
  })

  function openListener(rules: AdmissionRules) {
    const admit = createAdmission({ rules, tokens: needs.tokens, failures, log })
    return createHttpListener({ admit, onConnection, limits, log })
  }

  async function closeListeners(): Promise<void> {
    await Promise.all(listeners.map(({ server }) => closed(server)))
  }

  return {
    /** Listens on a socket file, 0600 in a 0700 folder; `agentd_running` when a live one is there. */
    async listenUnix(socketPath: string): Promise<void> {
      const listener = openListener({ trusted: true, hostNames: [], origins: [] })
      await listenOnSocket(listener.server, socketPath)
      listeners.push({ ...listener, where: `unix://${socketPath}` })
      log.info({ socket: socketPath }, 'listening')
    },

    /** Listens on TCP, where every client needs a token; refuses public addresses with `public_address`. */
    async listenTcp({
      address,
      yesPublic,
      hostNames = [],
      origins = [],
    }: {
      address: ListenAddress
      yesPublic: boolean
      /** Names by which clients may call this machine, besides its addresses. */
      hostNames?: readonly string[]
      /** Web pages that may connect, as a browser names them in Origin; normally none. */
      origins?: readonly string[]
    }): Promise<{ host: string; port: number }> {
      const { host, port: wanted } = await resolveListenAddress(address, { yesPublic })
      const listener = openListener({ trusted: false, hostNames: [address.host, ...hostNames], origins })
      const port = await listenOnPort(listener.server, { host, port: wanted })
      listeners.push({ ...listener, where: `ws://${host.includes(':') ? `[${host}]` : host}:${port}` })
      log.info({ host, port }, 'listening')
      return { host, port }
    },

    /** Where the server can be reached, as addresses a client understands. */
    listening: () => listeners.map((listener) => listener.where),

    connectionCount: () => connections.size,

    /** Tells everybody, lets running calls end (at most `stopGraceMs`), closes all connections and listeners. */
    async stop(): Promise<void> {
      presence.tellAll('stopping', 'agentd is stopping.')
      const closing = closeListeners()
      const finished = Promise.all([...connections].map((connection) => connection.finish()))
      await Promise.race([finished, sleep(limits.stopGraceMs, undefined, { ref: false })])
      unsubscribe()
      for (const connection of connections) connection.goAway()
      const grace = setTimeout(() => {
        for (const listener of listeners) listener.destroySockets()
      }, 1_000)
      await closing
      clearTimeout(grace)
    },
  }
}

function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
