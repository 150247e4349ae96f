import { useRef } from 'react'
import { findRow, type Place } from './selection.ts'
import type { Inbox } from './use-inbox.ts'

/** The number of the open row, wherever the list has moved it; undefined when it is not among the rows that are here. */
export function useSelectedRow(inbox: Inbox, place: Place | undefined): number | undefined {
  const last = useRef(0)
  if (place === undefined) return undefined
  const found = findRow(inbox.row, place, last.current)
  if (found !== undefined) last.current = found
  return found
}
