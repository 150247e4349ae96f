import { useCallback, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useHasPainted } from '../ui/after-paint.ts'
import {
  entryAt,
  entryCount,
  lineAt,
  lineOfRow,
  topOfLine,
  type LinePx,
  type SectionSize,
} from './section-rows.ts'

const OVERSCAN = 8
/** Of the first glance only what is seen is drawn. */
const FIRST_OVERSCAN = 1

interface View {
  offsetPx: number
  heightPx: number
}

/** Which lines of the list are drawn. All heights are known, so nothing is measured but the room that there is. */
export interface Lines {
  /** Goes to the element that scrolls. */
  attach: (element: HTMLDivElement | null) => (() => void) | undefined
  scroller: RefObject<HTMLDivElement | null>
  /** How far the list is scrolled, without asking the element, which would make it lay itself out. */
  offsetPx: number
  totalPx: number
  /** The lines that are seen, both included. */
  seen: { first: number; last: number }
  /** Those and some beyond. */
  drawn: { first: number; last: number }
  /** Scrolls as little as possible until a row is seen whole. */
  reveal: (row: number) => void
}

/** Follows the scrolling of a list whose rows and heads have fixed heights. */
export function useLines(sections: readonly SectionSize[], { rowPx, headPx }: LinePx): Lines {
  // A guess until the element is there, so that the first rows are drawn with the list.
  const [view, setView] = useState<View>(() => ({ offsetPx: 0, heightPx: window.innerHeight }))
  const scroller = useRef<HTMLDivElement>(null)
  const overscan = useHasPainted() ? OVERSCAN : FIRST_OVERSCAN
  const latest = useRef({ sections, rowPx, headPx, view })
  latest.current = { sections, rowPx, headPx, view }

  const attach = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element
    if (element === null) return undefined
    const become = (change: Partial<View>) => setView((before) => changed(before, change))
    become({ offsetPx: 0 })
    // In the same frame, so that no empty room is seen.
    const onScroll = () => flushSync(() => become({ offsetPx: element.scrollTop }))
    const sizes = new ResizeObserver(([entry]) => {
      const heightPx = entry?.contentRect.height ?? 0
      if (heightPx > 0) become({ heightPx })
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      sizes.disconnect()
      scroller.current = null
    }
  }, [])

  const reveal = useCallback((row: number) => {
    const { current: element } = scroller
    if (element === null) return
    const { sections: all, view: known, ...px } = latest.current
    const line = lineOfRow(all, row)
    const bottomPx = topOfLine(all, line, px) + px.rowPx
    // The first row of a section comes with its name.
    const topPx = topOfLine(all, entryAt(all, line - 1)?.kind === 'head' ? line - 1 : line, px)
    // Surely seen: at the start asking the element would have the whole window laid out before it is drawn.
    if (topPx >= known.offsetPx && bottomPx <= known.offsetPx + known.heightPx / 2) return
    const { scrollTop, clientHeight } = element
    const offsetPx = topPx < scrollTop ? topPx : Math.max(scrollTop, bottomPx - clientHeight)
    if (offsetPx === scrollTop) return
    element.scrollTop = offsetPx
    setView((before) => changed(before, { offsetPx }))
  }, [])

  const count = entryCount(sections)
  const px = { rowPx, headPx }
  const first = lineAt(sections, view.offsetPx, px)
  const last = lineAt(sections, view.offsetPx + view.heightPx, px)
  return {
    attach,
    scroller,
    offsetPx: view.offsetPx,
    totalPx: topOfLine(sections, count, px),
    seen: { first, last },
    drawn: { first: Math.max(0, first - overscan), last: Math.min(count - 1, last + overscan) },
    reveal,
  }
}

function changed(before: View, change: Partial<View>): View {
  const after = { ...before, ...change }
  return after.offsetPx === before.offsetPx && after.heightPx === before.heightPx ? before : after
}
