import net from 'node:net'

const MAX_ADDRESSES = 1_024

/** Counts failures per remote address, so that guessing tokens is slow. Keeps a bounded number of addresses. */
export function createFailureLimit({
  failures,
  windowMs,
  now,
}: {
  failures: number
  windowMs: number
  now: () => number
}) {
  const counts = new Map<string, { count: number; since: number }>()

  function current(address: string) {
    const entry = counts.get(address)
    return entry === undefined || now() - entry.since >= windowMs ? undefined : entry
  }

  return {
    /** Milliseconds that the address has to wait; 0 when it may try. */
    waitMs(address: string): number {
      const entry = current(networkOf(address))
      return entry === undefined || entry.count < failures ? 0 : entry.since + windowMs - now()
    },
    failed(address: string): void {
      const key = networkOf(address)
      const entry = current(key) ?? { count: 0, since: now() }
      entry.count += 1
      counts.delete(key)
      counts.set(key, entry)
      const oldest = counts.keys().next()
      if (counts.size > MAX_ADDRESSES && !oldest.done) counts.delete(oldest.value)
    },
  }
}

/** One IPv6 customer usually owns a whole /64, so that is what is counted. */
function networkOf(address: string): string {
  if (!net.isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? ['']
  const groups = head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
  }
  return groups.slice(0, 4).join(':')
}
