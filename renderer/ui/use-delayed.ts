import { useEffect, useState } from 'react'

/** True once `value` has been true for `delayMs`: what takes less is not worth a sign of waiting. */
export function useDelayed(value: boolean, delayMs: number): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (!value) return setDue(false)
    const timer = setTimeout(() => setDue(true), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value && isDue
}

/** A value that follows another one once that has rested for `delayMs`. */
export function useRested<T>(value: T, delayMs: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return rested
}

/**
 * False for `delayMs` after `key` has changed: what has just come under the pointer must not take a press that was meant for
 * what was there before.
 */
export function useSettled(key: string, delayMs: number): boolean {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), delayMs)
    return () => clearTimeout(timer)
  }, [key, delayMs])
  return settled === key
}
