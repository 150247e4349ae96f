import { useCallback, useRef } from 'react'
import { findRow, type InboxPlace } from './selection.ts'
import type { Inbox } from './use-inbox.ts'

/**
 * The number of the open row, wherever the list has moved it; undefined when it is not among the rows that are here. `lookAt`
 * tells where a row stands that is about to be opened.
 */
export function useSelectedRow(
  inbox: Inbox,
  place: InboxPlace | undefined,
): { row: number | undefined; lookAt: (row: number) => void } {
  const last = useRef(0)
  const lookAt = useCallback((row: number) => void (last.current = row), [])
  if (place === undefined) return { row: undefined, lookAt }
  const found = findRow(inbox.row, place, last.current)
  if (found !== undefined) last.current = found
  return { row: found, lookAt }
}
