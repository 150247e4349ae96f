import { hasUnknown, isPlain } from './marks.ts'
import { type RiskReason } from './types.ts'

const METADATA =
  /^(?:169\.254\.\d+\.\d+|\[?fd00:ec2::254\]?|\[?fe80:.*|metadata(?:\.google\.internal)?|100\.100\.100\.200|192\.0\.0\.192|instance-data(?:\..*)?)\.?$/i
const LOOPBACK = /^(?:localhost|(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)$/i
const TOKEN_NAMES =
  /(?:^|[?&#;])(?:[\w.-]*(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|private[_-]?key|credential|session|auth))=[^&]/i
const TOKENS =
  /(?:gh[pousr]_|github_pat_|sk-|xox[abpr]-|AKIA|glpat-|npm_|eyJ[\w-]+\.eyJ)[\w-]{10,}|-----BEGIN/

/** The host of a URL in the one form that programs connect to (`0x7f.1` is `127.0.0.1`), or undefined for what is no URL. */
function hostOf(url: string): string | undefined {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
  // The URL of the platform reads numbers the way programs do; it is in browsers and node alike, but not in the ES library.
  const Url = (globalThis as { URL?: new (text: string) => { hostname: string } }).URL
  try {
    return Url ? new Url(withScheme).hostname : undefined
  } catch {
    return undefined
  }
}

/** Whether the URL leads to this very machine. */
export function isLocalUrl(url: string): boolean {
  if (/^file:/i.test(url)) return false
  const beforeQuery = url.split(/[/?#]/, 3).join('/')
  if (!isPlain(beforeQuery.replace(/:[\uE010]$/, '')))
    return /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::[\uE010\uE011\d]+)?(?:\/|$)/.test(url)
  const host = hostOf(url.replace(/[\uE000-\uE0FF]/g, ''))
  return host !== undefined && LOOPBACK.test(host)
}

/** Why fetching a URL is dangerous: local files, a cloud's metadata service, or something private in the address. */
export function judgeUrl(url: string): RiskReason | undefined {
  if (/^(?:file|gopher|dict|ldap|smb|scp|sftp|ftp|tftp|telnet|imap|smtp):/i.test(url))
    return /^file:/i.test(url) ? 'secret_access' : 'data_send'
  if (hasUnknown(url)) return 'data_send'
  const plain = url.replace(/[\uE000-\uE0FF]/g, 'x')
  const host = hostOf(plain)
  if (host === undefined) return 'unreadable'
  if (METADATA.test(host)) return 'secret_access'
  let decoded = plain
  try {
    decoded = decodeURIComponent(plain)
  } catch {
    return 'unreadable'
  }
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]*:[^/?#@\s]*@/i.test(plain)) return 'data_send'
  return TOKEN_NAMES.test(decoded) || TOKENS.test(decoded) || decoded.length > 4096 ? 'data_send' : undefined
}
