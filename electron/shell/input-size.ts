/** What a window may hand over in one call: a plan has 512 kB, everything else is far smaller. */
const MAX_CHARS = 4 * 1024 * 1024
const MAX_VALUES = 100_000
const MAX_DEPTH = 32

/**
 * Whether a value that came from a window is plain data (what JSON can say, and `undefined`) of a size that is worth looking
 * at. It is walked with bounds, so that judging a huge value costs no more than a permitted one.
 */
export function isModestPlainData(value: unknown): boolean {
  let chars = 0
  let values = 0
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    values += 1
    if (values > MAX_VALUES || next.depth > MAX_DEPTH) return false
    const { value: current, depth } = next
    if (typeof current === 'string') chars += current.length
    else if (typeof current === 'object' && current !== null) {
      const entries = plainEntries(current, MAX_VALUES - values - pending.length)
      if (entries === undefined) return false
      for (const [key, child] of entries) {
        chars += key.length
        pending.push({ value: child, depth: depth + 1 })
      }
    } else if (typeof current === 'bigint' || typeof current === 'function' || typeof current === 'symbol')
      return false
    if (chars > MAX_CHARS) return false
  }
  return true
}

/** The entries of an array or a plain object; undefined for anything else, and for more of them than `max`. */
function plainEntries(value: object, max: number): [string, unknown][] | undefined {
  if (Array.isArray(value))
    return value.length > max ? undefined : value.map((child: unknown): [string, unknown] => ['', child])
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const entries = Object.entries(value)
  return entries.length > max ? undefined : entries
}
