import type { IncomingMessage } from 'node:http'

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost'])

/**
 * Why a request is refused, or undefined. `Host` must be a loopback name, which ends DNS rebinding; its port is the
 * browser's side of an ssh tunnel and may be any. `origin: 'own'`: the request must come from the page that this address
 * serves, since other ports of the same address send our cookie too.
 */
export function whyRefused(
  request: IncomingMessage,
  { origin }: { origin: 'any' | 'own' },
): string | undefined {
  const host = request.headers.host
  if (host === undefined || !isLoopback(host))
    return 'This desk is reached as 127.0.0.1 or localhost only; over ssh, forward the port.'
  if (origin === 'any') return undefined
  const site = request.headers['sec-fetch-site']
  const { origin: sent } = request.headers
  const isRead = request.method === 'GET' && request.headers.upgrade === undefined
  // Browsers send no Origin with a read of their own page; they say where it comes from in Sec-Fetch-Site.
  if (sent === undefined && isRead && site === 'same-origin') return undefined
  if (sent !== `http://${host}`) return 'This request does not come from the desk’s own page.'
  if (site !== undefined && site !== 'same-origin') return 'This request comes from another site.'
  return undefined
}

function isLoopback(host: string): boolean {
  const match = /^([a-z0-9.]+)(?::(\d{1,5}))?$/.exec(host.toLowerCase())
  return match?.[1] !== undefined && LOOPBACK_NAMES.has(match[1])
}

/** The value of a cookie; undefined when it is not sent or sent twice with different values. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
  return new Set(values).size === 1 ? values[0] : undefined
}
