import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { WireError } from '../../shared/errors.ts'
import { cookieOf } from './request-guard.ts'
import type { SessionInfo, Sessions } from './sessions.ts'
import { STRICT_HEADERS } from './static-files.ts'
import type { SignInTickets } from './sign-in-tickets.ts'

const MAX_BODY_BYTES = 4 * 1024
const MAX_FAILURES = 20
const FAILURE_WINDOW_MS = 60_000
/** Longer than a session lives without use; browsers cap it at 400 days themselves. */
const COOKIE_SECONDS = 400 * 24 * 3_600

const bodySchema = z.strictObject({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

const signedOut: WireError = {
  code: 'unauthorized',
  message: 'This browser is not signed in, or its sign-in has ended.',
  hint: 'Run `handoff ui` and open the address that it prints.',
}
const badTicket: WireError = {
  code: 'unauthorized',
  message: 'This address was used already or is older than two minutes.',
  hint: 'Run `handoff ui` again: it prints a new one.',
}

/** The subprotocol of the WebSocket; the page's key is offered beside it, since a page can set no headers there. */
export const WINDOW_PROTOCOL = 'handoff'
const KEY_HEADER = 'x-handoff-key'
const KEY = /^[A-Za-z0-9_-]{43}$/

/** `/session`: a ticket becomes a cookie and a key (POST), and a page asks whether its own are good (GET). */
export function createSignIn({
  tickets,
  sessions,
  now,
}: {
  tickets: SignInTickets
  sessions: Sessions
  now: () => number
}) {
  let failures = { since: 0, count: 0 }

  /** A clock that was set back must not lock everybody out until it has caught up. */
  const areRecent = () => Math.abs(now() - failures.since) <= FAILURE_WINDOW_MS

  function failed(): void {
    if (!areRecent()) failures = { since: now(), count: 0 }
    failures.count += 1
  }

  function sessionOf(request: IncomingMessage): SessionInfo | undefined {
    const secret = cookieOf(request, sessions.cookieName)
    const key = keyOf(request)
    return secret === undefined || key === undefined ? undefined : sessions.find(secret, key)
  }

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Everybody comes from loopback, so this counts for all: 256 bits are not guessed, but nobody shall try all day.
    if (failures.count >= MAX_FAILURES && areRecent())
      return json(response, 429, {
        error: {
          code: 'rate_limited',
          message: 'Too many wrong tickets.',
          hint: 'Wait a minute, then try again.',
        },
      })
    const body = bodySchema.safeParse(await readJson(request))
    if (!body.success || !tickets.redeem(body.data.ticket)) {
      failed()
      return json(response, 401, { error: badTicket })
    }
    // A browser that is signed in stays who it is.
    const before = sessionOf(request)
    if (before !== undefined) return json(response, 200, { key: keyOf(request) })
    const { secret, key } = sessions.create(
      request.headers['user-agent'] ?? '',
      cookieOf(request, sessions.cookieName),
    )
    response.setHeader(
      'Set-Cookie',
      `${sessions.cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_SECONDS}`,
    )
    json(response, 200, { key })
  }

  return {
    sessionOf,
    /** Answers a request to `/session` whose Host and Origin were checked. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (request.method === 'POST') return signIn(request, response)
      if (request.method !== 'GET') return json(response, 405, { error: signedOut })
      if (sessionOf(request) === undefined) return json(response, 401, { error: signedOut })
      json(response, 200, { signedIn: true })
    },
  }
}

function keyOf(request: IncomingMessage): string | undefined {
  const header = request.headers[KEY_HEADER]
  if (typeof header === 'string') return header
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  return offered.find((one) => KEY.test(one))
}

/** How a request says whose it is. */
export type SignIn = ReturnType<typeof createSignIn>

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    ...STRICT_HEADERS,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(status === 200 ? {} : { Connection: 'close' }),
  })
  response.end(JSON.stringify(value))
}

/** The body as JSON; undefined when it is too long, not JSON or sent as something else (forms cannot send JSON). */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json(;|$)/.test(request.headers['content-type'] ?? '')) return undefined
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_BODY_BYTES) return undefined
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
