import { useRef, type RefObject } from 'react'
import type { AppError } from '../../shared/errors.ts'
import { cancelJob, newJobId } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { useAction } from './use-action.ts'

/** Long work of the services that this component has begun. */
interface Job<A extends unknown[]> {
  run: (...input: A) => void
  stop: () => void
  isRunning: boolean
  error: AppError | undefined
  /** The job that runs, to know its events by. */
  current: RefObject<string | undefined>
}

/** Runs a job of the services, one at a time. It can be stopped, and having been stopped is no error. */
export function useJob<A extends unknown[]>(work: (jobId: string, ...input: A) => Promise<unknown>): Job<A> {
  const current = useRef<string>(undefined)
  const { run, isBusy, error } = useAction(async (...input: A) => {
    const jobId = newJobId()
    current.current = jobId
    try {
      await work(jobId, ...input)
    } catch (reason) {
      if (asAppError(reason).code !== 'cancelled') throw reason
    } finally {
      current.current = undefined
    }
  })
  const stop = () => {
    if (current.current !== undefined) cancelJob(current.current)
  }
  return { run, stop, isRunning: isBusy, error, current }
}
