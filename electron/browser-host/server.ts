import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { AppError } from '../../shared/errors.ts'
import type { DeskLogger } from '../services/desk/log.ts'
import { whyRefused } from './request-guard.ts'
import { WINDOW_PROTOCOL, type SignIn } from './sign-in.ts'
import { plain, type createStaticFiles } from './static-files.ts'
import type { Windows } from './windows.ts'

const MAX_MESSAGE_BYTES = 1024 * 1024
const MAX_CONNECTIONS = 256
/** How long a request may take to come, and how often that is looked at. */
const PATIENCE = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 }

/**
 * The HTTP server of the browser shell, on loopback only. Without a session it gives the page's files and takes tickets;
 * everything else is behind the WebSocket, which needs the session's cookie and the page's own origin.
 */
export function createBrowserServer({
  files,
  signIn,
  windows,
  log,
  patience = PATIENCE,
}: {
  files: ReturnType<typeof createStaticFiles>
  signIn: SignIn
  /** Undefined while the services are being opened. */
  windows: () => Windows | undefined
  log: Pick<DeskLogger, 'error'>
  patience?: typeof PATIENCE
}) {
  const server = http.createServer({ maxHeaderSize: 16 * 1024, ...patience })
  server.maxConnections = MAX_CONNECTIONS
  const upgrade = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // Never the key, which is offered beside it.
    handleProtocols: (offered) => (offered.has(WINDOW_PROTOCOL) ? WINDOW_PROTOCOL : false),
  })

  server.on('request', (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // Who hung up in the middle of a request wants no answer, and is no bug.
      if (request.destroyed && !request.complete) return
      // Without the part behind the `?`, where anything may stand.
      log.error({ err: error, method: request.method, path: pathOf(request) }, 'a request failed by a bug')
      if (response.headersSent) response.destroy()
      else plain(response, { status: 500, text: 'Something went wrong inside Handoff.' })
    })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A browser opens connections ahead of its requests. It would take an answer to none as the answer to its next one.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy()
    else refuse(socket, 400, 'Bad request.')
  })
  server.on('upgrade', (request, socket, head) => {
    // A connection that breaks before it is open concerns nobody.
    socket.on('error', () => undefined)
    const refused = whyRefused(request, { origin: 'own' })
    if (refused !== undefined) return refuse(socket, 403, refused)
    if (pathOf(request) !== '/ws') return refuse(socket, 404, 'Not found.')
    const session = signIn.sessionOf(request)
    if (session === undefined) return refuse(socket, 401, 'This browser is not signed in. Run `handoff ui`.')
    const open = windows()
    if (open === undefined) return refuse(socket, 503, 'The desk is starting.')
    upgrade.handleUpgrade(request, socket, head, (ws) => open.open(ws, session))
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request)
    const { method = '' } = request
    const refused = whyRefused(request, { origin: path === '/session' ? 'own' : 'any' })
    if (refused !== undefined)
      return plain(response, { status: 403, text: refused, headers: { Connection: 'close' } })
    if (path === '/session') return signIn.handle(request, response)
    if (method !== 'GET' && method !== 'HEAD')
      return plain(response, { status: 405, text: 'Not allowed.', headers: { Connection: 'close' } })
    return files.serve(response, { method, path })
  }

  return {
    /** Listens on 127.0.0.1 and answers the port; `port_taken` when it is another program's. */
    listen(port: number): Promise<number> {
      return new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)))
        server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
      })
    },
    async dispose(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? ''
}

function refuse(socket: Duplex, status: number, text: string): void {
  if (!socket.writable) return void socket.destroy()
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}\n`,
  )
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error
  return new AppError(
    {
      code: 'port_taken',
      message:
        error.code === 'EACCES'
          ? `Port ${port} may not be used.`
          : `Port ${port} is used by another program.`,
      hint: 'Choose another one with --port, or leave it out.',
    },
    { cause: error },
  )
}
