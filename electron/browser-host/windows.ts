import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { parseJson } from '../../shared/json.ts'
import { CLOSE_SESSION_ENDED } from '../../shared/ipc/session-close.ts'
import { encodeTerminalFrame } from '../../shared/ipc/terminal-frame.ts'
import type { DeskLogger } from '../services/desk/log.ts'
import type { Desk, DeskEvent } from '../services/desk/types.ts'
import type { SessionInfo, Sessions } from './sessions.ts'

/** Above this, a page that reads slowly gets one "everything changed" later instead of each change. */
const SLOW_BYTES = 4 * 1024 * 1024
/** Above this, the connection is ended; the page connects again and reads anew. */
const TOO_SLOW_BYTES = 64 * 1024 * 1024
const MAX_WINDOWS = 64
const REST_MS = 50
const HEARTBEAT_MS = 30_000

/** Close codes: RFC 6455, 7.4.1, and one of our own that the page knows. */
const CLOSE = {
  revoked: CLOSE_SESSION_ENDED,
  hostile: 1008,
  tooMany: 1013,
  internal: 1011,
  ending: 1001,
} as const

const frameSchema = z.strictObject({
  id: z.number().int().min(0),
  name: z.string().max(64),
  input: z.unknown(),
})

interface Window {
  id: string
  socket: WebSocket
  session: SessionInfo
  isAlive: boolean
  missedChange: Extract<DeskEvent, { name: 'desk.changed' }> | undefined
}

/** The pages that are connected: each is a window of the desk, with its own calls, events and terminals. */
export function createWindows({
  desk,
  sessions,
  log,
}: {
  desk: Desk
  sessions: Sessions
  log: Pick<DeskLogger, 'error'>
}) {
  const windows = new Map<string, Window>()
  const stopEvents = desk.onEvent(tell)
  const heartbeat = setInterval(checkAlive, HEARTBEAT_MS)
  heartbeat.unref()

  function tell(event: DeskEvent): void {
    const message =
      event.name === 'terminal.data'
        ? encodeTerminalFrame(event.payload)
        : JSON.stringify({ event: event.name, payload: event.payload })
    for (const window of windows.values()) {
      if (event.windowId !== undefined && event.windowId !== window.id) continue
      if (event.name === 'desk.changed' && window.socket.bufferedAmount > SLOW_BYTES)
        window.missedChange = event
      else send(window, message)
    }
  }

  function send(window: Window, message: string | Uint8Array): void {
    if (window.socket.readyState !== WebSocket.OPEN) return
    if (window.socket.bufferedAmount > TOO_SLOW_BYTES) return window.socket.terminate()
    window.socket.send(message, () => {
      const missed = window.missedChange
      if (missed === undefined || window.socket.bufferedAmount > SLOW_BYTES) return
      window.missedChange = undefined
      send(window, JSON.stringify({ event: missed.name, payload: { ...missed.payload, tasks: 'all' } }))
    })
  }

  async function hear(window: Window, data: string): Promise<void> {
    const frame = frameSchema.safeParse(parseJson(data))
    if (!frame.success) return window.socket.close(CLOSE.hostile, 'not a call')
    const { id, name, input } = frame.data
    const answer = await desk.call({ name, input }, { windowId: window.id })
    send(window, JSON.stringify({ id, answer }))
    if (!answer.ok && answer.error.code === 'rate_limited') rest(window)
  }

  /** A page that asks for too much is not listened to for a moment: reading it alone would keep the others waiting. */
  function rest({ socket }: Window): void {
    if (socket.isPaused) return
    socket.pause()
    setTimeout(() => socket.resume(), REST_MS).unref()
  }

  function checkAlive(): void {
    for (const window of windows.values()) {
      if (!window.isAlive) {
        window.socket.terminate()
        continue
      }
      window.isAlive = false
      sessions.seen(window.session.id)
      window.socket.ping()
    }
  }

  return {
    /** Takes a connection whose session was checked. */
    open(socket: WebSocket, session: SessionInfo): void {
      if (windows.size >= MAX_WINDOWS) return socket.close(CLOSE.tooMany, 'too many windows')
      const id = randomUUID()
      const window: Window = { id, socket, session, isAlive: true, missedChange: undefined }
      windows.set(id, window)
      sessions.seen(session.id)
      socket.on('pong', () => (window.isAlive = true))
      socket.on('message', (data, isBinary) => {
        window.isAlive = true
        if (isBinary) return socket.close(CLOSE.hostile, 'not text')
        // desk.call never rejects; what else fails is a bug that must not end the other windows.
        hear(window, String(data)).catch((error: unknown) => {
          log.error({ err: error }, 'a page could not be answered')
          socket.close(CLOSE.internal, 'internal')
        })
      })
      // ws closes after an error by itself (too long, not UTF-8, a broken frame).
      socket.on('error', () => undefined)
      socket.on('close', () => {
        windows.delete(id)
        desk.windowClosed(id)
      })
    },

    /** The session of a window. */
    sessionOf: (windowId: string): string | undefined => windows.get(windowId)?.session.id,
    /** How many windows a session has open. */
    countOf: (sessionId: string): number =>
      [...windows.values()].filter(({ session }) => session.id === sessionId).length,

    /** Ends the windows of a session and says how many there were. They do nothing more, even if a page ignores the close. */
    closeSession(sessionId: string): number {
      const closing = [...windows.values()].filter(({ session }) => session.id === sessionId)
      for (const { socket } of closing) end(socket)
      return closing.length
    },

    dispose(): void {
      clearInterval(heartbeat)
      stopEvents()
      for (const { socket } of windows.values()) {
        socket.close(CLOSE.ending, 'the desk ends')
        socket.terminate()
      }
    },
  }
}

/** The pages of one desk that are connected. */
export type Windows = ReturnType<typeof createWindows>

/** Says why and hangs up: nothing that comes after is heard, and the other side has a second to take note. */
function end(socket: WebSocket): void {
  socket.removeAllListeners('message')
  socket.close(CLOSE.revoked, 'revoked')
  setTimeout(() => socket.terminate(), 1_000).unref()
}
