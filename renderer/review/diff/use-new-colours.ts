import { useEffect, useRef } from 'react'

/** So many rows get their colours in one go while somebody scrolls: about four milliseconds. */
const ROWS_PER_FRAME = 16

/**
 * Says which of the rows on the screen may have their colours and word marks now. While somebody scrolls fast, only a few more
 * get them per drawing, so that no frame is late; as soon as they rest, all of them.
 */
export function useNewColours(keys: readonly number[], isScrolling: boolean): (key: number) => boolean {
  const coloured = useRef<ReadonlySet<number>>(new Set())
  const may = new Set<number>()
  let room = isScrolling ? ROWS_PER_FRAME : Infinity
  for (const key of keys)
    // Those that have them keep them.
    if (coloured.current.has(key)) may.add(key)
    else if (room > 0) {
      room -= 1
      may.add(key)
    }
  useEffect(() => {
    coloured.current = may
  })
  return (key) => may.has(key)
}
