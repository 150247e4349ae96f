import type { WireEvent } from '../../shared/protocol/records.ts'

/**
 * Older events followed by the newest ones, each once, in order. Where the two do not meet, something between them is missing:
 * then only the newest are answered, so that nobody takes them for the whole.
 */
export function joinEvents(older: readonly WireEvent[], newest: readonly WireEvent[]): readonly WireEvent[] {
  const first = newest[0]?.seq
  const last = older.at(-1)?.seq
  if (first === undefined) return older
  if (last === undefined || last < first) return newest
  return [...older.filter(({ seq }) => seq < first), ...newest]
}
