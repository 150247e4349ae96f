import { AppError } from '../../../shared/errors.ts'
import type { IpcEvent } from '../../../shared/ipc.ts'
import type { JobHandle, Jobs } from './types.ts'

/** More progress of one step than this tells a person nothing. */
const PROGRESS_EVERY_MS = 50
/** Longest piece of output that one event carries, in UTF-16 units. */
const MAX_CHUNK = 256 * 1024

/** What jobs tell windows. */
export type JobEvent =
  | { name: 'job.progress'; payload: IpcEvent<'job.progress'> }
  | { name: 'run.output'; payload: IpcEvent<'run.output'> }

/**
 * Runs long work under ids. Nothing is published of a job that has ended. After `cancel` the work's signal is aborted, and when
 * the work ends with an error, `run` rejects with `cancelled`; work that finished all the same is finished.
 */
export function createJobs({
  publish,
  now = Date.now,
}: {
  publish: (event: JobEvent) => void
  now?: () => number
}): Jobs {
  const running = new Map<string, AbortController>()
  let isDisposed = false

  return {
    async run(jobId, work) {
      if (isDisposed) throw cancelled()
      if (running.has(jobId))
        throw new AppError({
          code: 'bad_request',
          message: `A job with the id ${jobId} is running.`,
          hint: 'Wait until it has ended, or cancel it.',
        })
      const controller = new AbortController()
      running.set(jobId, controller)
      const { signal } = controller
      const isOver = () => running.get(jobId) !== controller
      try {
        return await work({ signal, ...createReporter({ jobId, publish, now, isOver }) })
      } catch (error) {
        if (!signal.aborted || (error instanceof AppError && error.code === 'cancelled')) throw error
        throw cancelled(error)
      } finally {
        running.delete(jobId)
      }
    },

    cancel(jobId) {
      const controller = running.get(jobId)
      controller?.abort(cancelled())
      return controller !== undefined
    },

    dispose() {
      isDisposed = true
      for (const controller of running.values()) controller.abort(cancelled())
    },
  }
}

function createReporter({
  jobId,
  publish,
  now,
  isOver,
}: {
  jobId: string
  publish: (event: JobEvent) => void
  now: () => number
  isOver: () => boolean
}): Pick<JobHandle, 'progress' | 'output'> {
  let last: { step: string; at: number } | undefined
  return {
    progress(step) {
      if (isOver()) return
      const isEnd = step.done !== undefined && step.done === step.total
      const isSame = last?.step === step.step && step.install === undefined
      if (isSame && !isEnd && Math.abs(now() - (last?.at ?? 0)) < PROGRESS_EVERY_MS) return
      last = { step: step.step, at: now() }
      publish({ name: 'job.progress', payload: { jobId, ...step } })
    },

    output(channel, chunk) {
      if (isOver()) return
      for (const piece of pieces(chunk))
        publish({ name: 'run.output', payload: { jobId, channel, chunk: piece } })
    },
  }
}

/** Cuts long output, never through the middle of a surrogate pair. */
function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + MAX_CHUNK)
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
    yield text.slice(start, end)
    start = end
  }
}

function cancelled(cause?: unknown): AppError {
  return new AppError({ code: 'cancelled', message: 'This was cancelled.' }, { cause })
}
