import { useRef, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import { asAppError } from '../bridge/use-call.ts'

/** Something a button does that takes a while: never twice at once, and what went wrong stays to be shown. */
export function useAction<A extends unknown[]>(
  action: (...input: A) => Promise<unknown>,
): { run: (...input: A) => void; isBusy: boolean; error: AppError | undefined } {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<AppError>()
  // A state would come too late for a second press within the same frame.
  const underWay = useRef(false)
  const run = (...input: A) => {
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setError(undefined)
    action(...input)
      .catch((reason: unknown) => setError(asAppError(reason)))
      .finally(() => {
        underWay.current = false
        setBusy(false)
      })
  }
  return { run, isBusy, error }
}
