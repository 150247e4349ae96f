import { useEffect, useState } from 'react'

/** A page that nobody sees paints nothing. */
const AT_MOST_MS = 100

let hasPainted = false

/** Does something as soon as what was drawn before is on the screen, or after 100 ms. Answers how to leave it. */
export function afterPaint(work: () => void): () => void {
  let timer = setTimeout(done, AT_MOST_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    // The frame is painted after this, and before whatever comes next.
    timer = setTimeout(done)
  })
  function done() {
    cancelAnimationFrame(frame)
    work()
  }
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** False while the window is drawn for the first time: what does not belong to the first glance waits until that is painted. */
export function useHasPainted(): boolean {
  const [known, setKnown] = useState(hasPainted)
  useEffect(() => {
    if (known) return undefined
    return afterPaint(() => {
      hasPainted = true
      setKnown(true)
    })
  }, [known])
  return known
}
