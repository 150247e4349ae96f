import { useEffect, useRef, useState, type RefObject } from 'react'

const NEAR_END_PX = 60

/** A list that grows at its end. */
interface Growing {
  scroller: RefObject<HTMLDivElement | null>
  count: number
  heightPx: number
  isShown: boolean
}

/** Keeps a list at its end, however it grows or its box shrinks, while the person is there. */
export function useStayAtEnd({ scroller, count, heightPx, isShown }: Growing) {
  const atEnd = useRef(true)
  const last = useRef({ top: 0, heightPx: 0 })
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    if (atEnd.current) goToEnd(scroller.current)
  }, [scroller, count, heightPx])
  // What appears above or below makes the box lower, and tells nobody by scrolling.
  useEffect(() => {
    const box = scroller.current
    if (box === null) return undefined
    const sizes = new ResizeObserver(() => {
      if (atEnd.current) goToEnd(box)
    })
    sizes.observe(box)
    return () => sizes.disconnect()
  }, [scroller, isShown])
  return {
    isAway,
    goToEnd: () => goToEnd(scroller.current),
    /** For the box's onScroll. */
    onScroll: () => {
      const box = scroller.current
      if (box === null) return
      // Rows that turn out higher than estimated push the end away, and a box that was higher for a moment pulls it up; only who
      // goes up leaves it.
      const wentUp = box.scrollTop < last.current.top && box.clientHeight === last.current.heightPx
      last.current = { top: box.scrollTop, heightPx: box.clientHeight }
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX
      atEnd.current = isNear || (atEnd.current && !wentUp)
      setAway(!atEnd.current)
    },
  }
}

function goToEnd(box: HTMLDivElement | null): void {
  box?.scrollTo({ top: box.scrollHeight })
}
