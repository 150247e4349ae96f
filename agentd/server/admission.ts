import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import type { createFailureLimit } from './failure-limit.ts'
import type { Grant } from './session.ts'
import type { Logger } from '../log.ts'
import type { Tokens } from './tokens.ts'

/** Whether an HTTP request may become a connection; a refusal is a status and one short sentence. */
export type Admission =
  | { kind: 'admitted'; grant: Grant }
  | { kind: 'refused'; status: 400 | 401 | 403 | 404 | 421 | 426 | 429; text: string; retryAfterMs?: number }

/** What a listener lets in. */
export interface AdmissionRules {
  /** Whether the file system has vouched for the caller (a 0600 socket); then a token is optional. */
  trusted: boolean
  /** Host names by which the listener may be called, besides IP addresses and localhost. */
  hostNames: readonly string[]
  /** Web pages that may connect; normally none. */
  origins: readonly string[]
}

/** Decides about upgrade requests, before anything of them is believed. */
export function createAdmission({
  rules,
  tokens,
  failures,
  log,
}: {
  rules: AdmissionRules
  tokens: Pick<Tokens, 'verify' | 'used'>
  failures: ReturnType<typeof createFailureLimit>
  log: Logger
}) {
  return function admit(request: IncomingMessage): Admission {
    if (request.url !== '/') return { kind: 'refused', status: 404, text: 'Not found.' }
    const { origin, authorization } = request.headers
    // Programs send no Origin; a browser always does, so this keeps every web page out.
    if (origin !== undefined && !rules.origins.includes(origin))
      return { kind: 'refused', status: 403, text: 'Web pages may not connect.' }
    if (!rules.trusted && !isOurName(request.headers.host, rules.hostNames))
      return { kind: 'refused', status: 421, text: 'This host is not called that.' }
    if (rules.trusted && authorization === undefined)
      return { kind: 'admitted', grant: { role: 'reviewer', via: 'socket', tokenId: undefined } }

    const address = request.socket.remoteAddress
    const waitMs = address === undefined ? 0 : failures.waitMs(address)
    if (waitMs > 0)
      return { kind: 'refused', status: 429, text: 'Too many wrong tokens.', retryAfterMs: waitMs }
    const token = tokens.verify(/^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '')
    if (token === undefined) {
      if (address !== undefined) failures.failed(address)
      log.warn({ address }, 'a connection without a valid token was refused')
      return { kind: 'refused', status: 401, text: 'A valid token is needed.' }
    }
    noteUse(token)
    return { kind: 'admitted', grant: { role: token.role, via: 'token', tokenId: token.id } }
  }

  function noteUse(token: NonNullable<ReturnType<Tokens['verify']>>): void {
    try {
      tokens.used(token)
    } catch (error) {
      // When a token was last used is for information; a full disk must not lock its owner out.
      log.warn({ err: error }, 'the use of a token could not be noted')
    }
  }
}

/**
 * Whether a Host header names this machine. A page that had its own name resolved to our address (DNS rebinding) sends
 * its own name; an IP address or localhost cannot be rebound.
 */
function isOurName(header: string | undefined, names: readonly string[]): boolean {
  const match = /^(?:\[([^\]]{1,64})\]|([^:[\]]{1,253}))(?::\d{1,5})?$/.exec(header ?? '')
  const host = (match?.[1] ?? match?.[2])?.toLowerCase()
  if (host === undefined) return false
  return net.isIP(host) !== 0 || host === 'localhost' || names.some((name) => name.toLowerCase() === host)
}
