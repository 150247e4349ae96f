/** The address that a person means: a bare `devbox` or `me@devbox` is reached over ssh. */
export function addressOf(text: string): string {
  const typed = text.trim()
  return typed === '' || /^[a-z]+:\/\//i.test(typed) ? typed : `ssh://${typed}`
}

/** Whether others on the way can read what is said, the token too: ws:// to anything but this machine. */
export function isReadableOnTheWay(address: string): boolean {
  const host = /^ws:\/\/\[?([^\]/]+?)\]?(?::\d+)?\/?$/i.exec(address.trim())?.[1]
  return host !== undefined && !/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
}

/** A name for an address: its first label, without user and port; empty when nothing fits. */
export function nameOf(text: string): string {
  const host = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?\[?([^\]/:]*)/i.exec(text.trim())?.[1] ?? ''
  // Numbers of an address say nothing by themselves, so they stay together.
  const label = /^[\d.]+$/.test(host) ? host.replaceAll('.', '-') : (host.split('.')[0] ?? '')
  const name = label
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 63)
  return name === 'local' || name === 'localhost' ? `${name}-2` : name
}
