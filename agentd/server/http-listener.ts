import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { MAX_CLIENT_MESSAGE_BYTES } from '../../shared/protocol.ts'
import type { Admission } from './admission.ts'
import type { Grant } from './session.ts'
import type { ServerLimits } from './limits.ts'
import type { Logger } from '../log.ts'

const NEVER_MS = 2 ** 31 - 1
const MAX_HEADER_BYTES = 8 * 1024

/** An HTTP server that knows one thing: to become a WebSocket at `/` for whom `admit` lets in. */
export function createHttpListener({
  admit,
  onConnection,
  limits,
  log,
}: {
  admit: (request: IncomingMessage) => Admission
  onConnection: (ws: WebSocket, grant: Grant) => void
  limits: ServerLimits
  log: Logger
}): { server: http.Server; destroySockets(): void } {
  const server = http.createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node's own check wakes up every 30 s for ever; the timer per connection below does its work.
    connectionsCheckingInterval: NEVER_MS,
    keepAlive: false,
  })
  const sockets = new Set<Duplex>()
  const handshakes = new WeakMap<Duplex, NodeJS.Timeout>()
  const upgrade = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
  })
  // Room above the limit, so that the one too many is told why instead of being cut off.
  server.maxConnections = limits.maxConnections + 64
  // Half of the places: one address that only opens connections leaves the other half to everybody else.
  const strangers = countStrangers(Math.ceil(limits.maxConnections / 2))
  let open = 0

  server.on('connection', (socket) => {
    if (!strangers.arrive(socket)) return void socket.destroy()
    const timer = setTimeout(() => socket.destroy(), limits.handshakeMs)
    handshakes.set(socket, timer)
    sockets.add(socket)
    socket.on('close', () => {
      clearTimeout(timer)
      strangers.leave(socket)
      sockets.delete(socket)
    })
  })
  server.on('request', (request, response) => {
    const status = request.url === '/' ? 426 : 404
    response.writeHead(status, {
      ...(status === 426 ? { Upgrade: 'websocket' } : {}),
      'Content-Type': 'text/plain',
      Connection: 'close',
    })
    response.end(status === 426 ? 'This is a WebSocket.\n' : 'Not found.\n')
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) answer(socket, { status: 400, text: 'Bad request.' })
    else socket.destroy()
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', (error) => log.debug({ err: error }, 'a connection broke before it was open'))
    const admission = admit(request)
    if (admission.kind === 'refused') return answer(socket, admission)
    if (open >= limits.maxConnections) return answer(socket, { status: 503, text: 'Too many connections.' })
    upgrade.handleUpgrade(request, socket, head, (ws) => {
      clearTimeout(handshakes.get(socket))
      strangers.leave(socket)
      open += 1
      ws.on('close', () => (open -= 1))
      onConnection(ws, admission.grant)
    })
  })

  return {
    server,
    destroySockets() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Counts, per remote address, the connections that have not been let in; a Unix socket has no address and no limit. */
function countStrangers(perAddress: number) {
  const counts = new Map<string, number>()
  const addresses = new WeakMap<Duplex, string>()
  return {
    /** False when there are too many already. */
    arrive(socket: Socket): boolean {
      const address = socket.remoteAddress
      if (address === undefined) return true
      const count = counts.get(address) ?? 0
      if (count >= perAddress) return false
      counts.set(address, count + 1)
      addresses.set(socket, address)
      return true
    },
    /** Harmless when it was counted out before. */
    leave(socket: Duplex): void {
      const address = addresses.get(socket)
      if (address === undefined) return
      addresses.delete(socket)
      const count = (counts.get(address) ?? 1) - 1
      if (count > 0) counts.set(address, count)
      else counts.delete(address)
    },
  }
}

function answer(
  socket: Duplex,
  { status, text, retryAfterMs }: { status: number; text: string; retryAfterMs?: number },
): void {
  const retry = retryAfterMs === undefined ? '' : `Retry-After: ${Math.ceil(retryAfterMs / 1_000)}\r\n`
  const challenge = status === 401 ? 'WWW-Authenticate: Bearer\r\n' : ''
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `${retry}${challenge}Content-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}\n`,
  )
}
