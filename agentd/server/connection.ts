import type { RawData, WebSocket } from 'ws'
import { AppError, toWireError } from '../../shared/errors.ts'
import type { ServerMessage } from '../../shared/protocol.ts'
import { readClientMessage } from './client-message.ts'
import { createOutbound } from './outbound.ts'
import type { PresenceRegistry } from './presence.ts'
import { createSession, type Grant, type Hello, type Session, type SessionNeeds } from './session.ts'

/** What all connections of a server share. */
export interface ConnectionNeeds extends SessionNeeds {
  presence: PresenceRegistry
}

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
  const helloTimer = setTimeout(onNoHello, limits.helloDeadlineMs)
  let session: Session | undefined
  let badFrames = 0
  let silentBeats = 0

  const send = (message: ServerMessage) => outbound.send(JSON.stringify(message))

  function refuse(error: AppError, closeCode: number): void {
    send({ t: 'refused', error: toWireError(error) })
    close(closeCode)
  }

  function onNoHello(): void {
    refuse(new AppError({ code: 'timeout', message: 'No hello in time.' }), CLOSE_POLICY)
  }

  function close(code: number): void {
    ws.close(code)
    endSoon()
  }

  /** ws itself waits 30 s for the other side's close frame; a hostile client would hold its place that long. */
  function endSoon(): void {
    setTimeout(() => ws.terminate(), CLOSE_GRACE_MS).unref()
  }

  function onBadFrame(message: string): void {
    badFrames += 1
    send({ t: 'error', id: 0, error: { code: 'bad_request', message } })
    if (badFrames >= limits.badFrames) close(CLOSE_POLICY)
  }

  function onHello(hello: Hello): void {
    clearTimeout(helloTimer)
    session = createSession({
      hello,
      grant,
      needs,
      outbound,
      connectionSignal: ended.signal,
      onBadFrame,
      onFailure(error) {
        log.error({ err: error }, 'events could not be read for a client')
        close(CLOSE_INTERNAL)
      },
    })
    session.start()
    presence.introduced()
  }

  function onMessage(data: RawData, isBinary: boolean): void {
    if (ws.readyState !== ws.OPEN) return
    const read = readClientMessage(data, isBinary)
    if (session !== undefined) {
      if (read.kind === 'message') session.handle(read.message)
      else onBadFrame(read.kind === 'unreadable' ? read.why : 'hello was said before.')
    } else if (read.kind === 'message' && read.message.t === 'hello') onHello(read.message)
    else if (read.kind === 'mismatch') refuse(read.error, CLOSE_POLICY)
    else
      refuse(new AppError({ code: 'bad_request', message: 'The first message must be hello.' }), CLOSE_POLICY)
  }

  function heard(): void {
    silentBeats = 0
  }

  /** A bug must end this connection and not the process. */
  function guarded(data: RawData, isBinary: boolean): void {
    heard()
    try {
      onMessage(data, isBinary)
    } catch (error) {
      log.error({ err: error }, 'a message could not be handled')
      close(CLOSE_INTERNAL)
    }
  }

  const present = { tokenId: grant.tokenId, role: () => session && grant.role, send, refuse }
  presence.add(present)
  ws.on('message', guarded)
  ws.on('pong', heard)
  ws.on('ping', heard)
  ws.on('error', (error) => {
    log.debug({ err: error }, 'a connection broke')
    endSoon()
  })
  ws.on('close', () => {
    clearTimeout(helloTimer)
    ended.abort()
    session?.end()
    outbound.dispose()
    presence.remove(present)
    onEnd()
  })

  return {
    /** Events were committed. */
    wake: () => session?.wake(),
    /** Pings, or ends a connection that was silent for two heartbeats. */
    beat(): void {
      // Beats are counted and not the time: after a pause of this machine everybody seems to have been silent for long.
      silentBeats += 1
      // While data waits for a slow client its pong waits too; then outbound decides whether it is gone.
      if (outbound.hasRoom() && silentBeats > 2) ws.terminate()
      else if (ws.readyState === ws.OPEN) ws.ping()
    },
    /** Lets running calls end, takes no new ones. */
    finish: () => session?.finish() ?? Promise.resolve(),
    /** Ends the connection because agentd stops. */
    goAway: () => close(CLOSE_GOING_AWAY),
  }
}

/** One client's connection. */
export type Connection = ReturnType<typeof createConnection>
