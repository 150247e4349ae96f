import { useLayoutEffect, useRef } from 'react'

/**
 * Which rows have to be measured: a line of code that is not wrapped is as high as every other, and watching the size of each row costs
 * more than drawing it. What was higher once is measured as long as it lives.
 */
export function useMeasuredRows(
  isAllOfThem: boolean,
  reset: () => void,
): (key: number, isHigher: boolean) => boolean {
  const higher = useRef(new Set<number>())
  const latest = useRef(reset)
  latest.current = reset
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    // Sizes that were measured in the other way of drawing say nothing.
    if (!isFirst.current) latest.current()
    isFirst.current = false
    higher.current.clear()
  }, [isAllOfThem])
  return (key, isHigher) => {
    if (isHigher) higher.current.add(key)
    return isAllOfThem || higher.current.has(key)
  }
}
