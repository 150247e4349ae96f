import { useLayoutEffect, useRef, type RefObject } from 'react'
import { entryAt, lineOfRow, topOfLine, type LinePx, type SectionSize } from './section-rows.ts'
import { findRow, placeOf, type InboxPlace } from './selection.ts'
import type { Inbox } from './use-inbox.ts'

/** Where a row begins, in pixels from the top of the list. */
function topOf(sections: readonly SectionSize[], row: number, px: LinePx): number {
  return topOfLine(sections, lineOfRow(sections, row), px)
}

/**
 * Keeps the rows that the person reads where they are when others come or go above them. At the very top nothing is kept: new
 * rows are meant to be seen. `offset` is how far the list is scrolled; asking the element would make it lay itself out.
 */
export function useAnchor({
  inbox,
  scroller,
  offset,
  rowPx,
  headPx,
}: {
  inbox: Inbox
  scroller: RefObject<HTMLDivElement | null>
  offset: number
  rowPx: number
  headPx: number
}): void {
  const { sections, row, key } = inbox
  const anchor = useRef<{ place: InboxPlace; row: number; top: number; key: string }>(undefined)
  useLayoutEffect(() => {
    const kept = anchor.current
    const px = { rowPx, headPx }
    const now =
      kept === undefined || kept.key !== key || offset === 0 ? undefined : findRow(row, kept.place, kept.row)
    const moved = kept === undefined || now === undefined ? 0 : topOf(sections, now, px) - kept.top
    if (moved !== 0 && scroller.current !== null) scroller.current.scrollTop += moved
    const first = firstWholeRow(sections, offset + moved, px)
    const there = row(first)
    anchor.current =
      there === undefined
        ? undefined
        : { place: placeOf(there), row: first, top: topOf(sections, first, px), key }
  }, [sections, row, key, scroller, offset, rowPx, headPx])
}

function firstWholeRow(sections: readonly SectionSize[], scrollTop: number, px: LinePx): number {
  // Heads are few, so a guess from rows alone is at most that many lines too far.
  let line = Math.max(0, Math.floor(scrollTop / px.rowPx))
  for (; ; line += 1) {
    const entry = entryAt(sections, line)
    if (entry === undefined) return 0
    if (entry.kind === 'row' && topOf(sections, entry.row, px) >= scrollTop) return entry.row
  }
}
