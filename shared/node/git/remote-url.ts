/** A remote as it may be shown, stored and sent: its url carries no user secret. */
export interface Remote {
  name: string
  url: string
}

/** Removes passwords and tokens from a remote url. An ssh user name (`git@`) is part of the address and stays. */
export function stripCredentials(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)@(.*)$/is.exec(url)
  if (match === null) return url
  const [, scheme = '', user = '', rest = ''] = match
  const isSsh = /ssh/i.test(scheme)
  const kept = isSsh ? user.split(':')[0] : ''
  return kept ? `${scheme}://${kept}@${rest}` : `${scheme}://${rest}`
}

/** Removes credentials from every url inside a text, for messages and logs. */
export function redactUrls(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@']+@/gi, '$1')
}

/**
 * One spelling for the same repository behind ssh, scp-like and https urls: `host/path`, lower case, without user, port
 * and `.git`. Ports are dropped because the ssh port of a forge says nothing about its https port.
 */
export function normaliseRemoteUrl(url: string): string {
  const trimmed = url.trim()
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?(\[[^\]]+\]|[^/:]*)(?::\d*)?\/*(.*)$/is.exec(trimmed)
  const scpLike = withScheme ?? /^(?:[^/@:]*@)?(\[[^\]]+\]|[^/:]+):(?!\/\/)\/*(.*)$/s.exec(trimmed)
  const [, host = '', path = trimmed] = scpLike ?? []
  const plainPath = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '')
  return host === '' ? `file://${plainPath.replace(/^\/*/, '/')}` : `${host}/${plainPath}`.toLowerCase()
}

/** Whether a remote from outside may be written into a repository's configuration: plain transports and sane names only. */
export function isSafeRemote({ name, url }: Remote): boolean {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) || name.includes('..') || name.endsWith('.lock'))
    return false

  if (url.length === 0 || url.length > 2_000 || /[\u0000-\u001f\u007f]/.test(url) || url.startsWith('-'))
    return false
  // `transport::address` runs a helper program chosen by the url.
  if (/^[A-Za-z0-9+.-]*::/.test(url)) return false
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url))
    return /^(https?|ssh|git|git\+ssh|ssh\+git|file):\/\/(?!-)/i.test(url)
  return url.startsWith('/') || /^(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9[][^/:]*:/.test(url)
}
