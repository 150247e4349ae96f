import { useLayoutEffect, useRef, type RefObject } from 'react'
import { entryAt, lineOfRow, type SectionSize } from './section-rows.ts'
import { findRow, placeOf, type Place } from './selection.ts'
import type { Inbox } from './use-inbox.ts'

/** Where a row begins, in pixels from the top of the list. */
function topOf(sections: readonly SectionSize[], row: number, px: { rowPx: number; headPx: number }): number {
  const heads = lineOfRow(sections, row) - row
  return heads * px.headPx + row * px.rowPx
}

/**
 * Keeps the rows that the person reads where they are when others come or go above them. At the very top nothing is kept: new
 * rows are meant to be seen.
 */
export function useAnchor({
  inbox,
  scroller,
  rowPx,
  headPx,
}: {
  inbox: Inbox
  scroller: RefObject<HTMLDivElement | null>
  rowPx: number
  headPx: number
}): void {
  const { sections, row, key } = inbox
  const anchor = useRef<{ place: Place; row: number; top: number; key: string }>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    const kept = anchor.current
    if (element === null || kept === undefined || kept.key !== key || element.scrollTop === 0) return
    const now = findRow(row, kept.place, kept.row)
    if (now === undefined) return
    const moved = topOf(sections, now, { rowPx, headPx }) - kept.top
    if (moved !== 0) element.scrollTop += moved
  }, [sections, row, key, scroller, rowPx, headPx])
  // After each drawing: the first row that is wholly on the screen.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const remember = () => {
      const first = firstWholeRow(sections, element.scrollTop, { rowPx, headPx })
      const there = row(first)
      anchor.current =
        there === undefined
          ? undefined
          : { place: placeOf(there), row: first, top: topOf(sections, first, { rowPx, headPx }), key }
    }
    remember()
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [sections, row, key, scroller, rowPx, headPx])
}

function firstWholeRow(
  sections: readonly SectionSize[],
  scrollTop: number,
  px: { rowPx: number; headPx: number },
): number {
  // Heads are few, so a guess from rows alone is at most that many lines too far.
  let line = Math.max(0, Math.floor(scrollTop / px.rowPx))
  for (; ; line += 1) {
    const entry = entryAt(sections, line)
    if (entry === undefined) return 0
    if (entry.kind === 'row' && topOf(sections, entry.row, px) >= scrollTop) return entry.row
  }
}
