import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * An id as opencode makes them, so that it sorts by time among its own: prefix, the low 48 bits of
 * `milliseconds * 4096 + counter` as 12 hex digits, 14 random characters. opencode finds the newest prompt by id, so a
 * new one must sort behind `after`, also when the clock was set back.
 */
export function ascendingId(prefix: 'msg' | 'prt', atMs: number, after?: string): string {
  const now = BigInt.asUintN(48, BigInt(Math.floor(atMs)) * 4096n + 1n)
  const last = /^[a-z]+_([0-9a-f]{12})/.exec(after ?? '')?.[1]
  const stamp = last !== undefined && BigInt(`0x${last}`) >= now ? BigInt(`0x${last}`) + 1n : now
  const random = [...randomBytes(14)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `${prefix}_${stamp.toString(16).padStart(12, '0')}${random}`
}
