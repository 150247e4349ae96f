import http from 'node:http'
import { WebSocket } from 'ws'

/** An answer over HTTP, read whole. */
export interface HttpAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

/** A request to the browser shell exactly as written: paths are not tidied, and any header may be sent. */
export function request(
  port: number,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: {
    method?: string
    path: string
    headers?: Record<string, string>
    body?: string
  },
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = http.request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Both halves of a session. */
export interface Credentials {
  cookie: string
  key: string
}

/** Posts a ticket as the page of this port would; headers may be changed. */
export function postTicket(
  port: number,
  ticket: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return request(port, {
    method: 'POST',
    path: '/session',
    headers: { Origin: `http://127.0.0.1:${port}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ticket }),
  })
}

/** The ticket in an address. */
export function ticketIn(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get('ticket') ?? ''
}

/** Signs in with an address that has a fresh ticket. */
export async function signIn(port: number, url: string): Promise<Credentials> {
  const { status, headers, body } = await postTicket(port, ticketIn(url))
  if (status !== 200) throw new Error(`signing in was answered with ${status}: ${body}`)
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { cookie, key: (JSON.parse(body) as { key: string }).key }
}

/** How a WebSocket to `/ws` went: open, or refused with a status. */
export type Opened = { kind: 'open'; socket: WebSocket } | { kind: 'refused'; status: number }

/** Opens a window's WebSocket with these credentials. */
export function openWindow(
  port: number,
  { cookie, key }: Partial<Credentials>,
  headers: Record<string, string> = {},
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}/ws`,
      key === undefined ? ['handoff'] : ['handoff', key],
      {
        headers: {
          Origin: `http://127.0.0.1:${port}`,
          ...(cookie === undefined ? {} : { Cookie: cookie }),
          ...headers,
        },
      },
    )
    socket.on('open', () => resolve({ kind: 'open', socket }))
    socket.on('unexpected-response', (sent, response) => {
      sent.destroy()
      resolve({ kind: 'refused', status: response.statusCode ?? 0 })
    })
    socket.on('error', reject)
  })
}

/** The code with which a socket is closed. */
export function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', (code) => resolve(code)))
}
