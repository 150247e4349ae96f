import { useEffect, useState } from 'react'

/** Whole seconds until a time (ms since the epoch), 0 when it is past, counted down; undefined without a time. */
export function useSecondsUntil(at: number | undefined): number | undefined {
  const [seconds, setSeconds] = useState<number>()
  useEffect(() => {
    if (at === undefined) return setSeconds(undefined)
    const count = () => setSeconds(Math.max(0, Math.ceil((at - Date.now()) / 1_000)))
    count()
    const timer = setInterval(count, 1_000)
    return () => clearInterval(timer)
  }, [at])
  return seconds
}
