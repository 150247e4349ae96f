import { useEffect, useRef, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { IpcOutput } from '../../shared/ipc.ts'
import { call, cancelJob, newJobId, subscribe } from '../bridge/bridge.ts'
import { onDeskChange } from '../bridge/desk-store.ts'
import { asAppError, touches } from '../bridge/use-call.ts'
import { parseInSteps, type DiffFile } from './diff/parse.ts'

/** Which changes are looked at: all of them, one round, or one round against the end of another (0: the beginning). */
export interface DiffChoice {
  round?: number | undefined
  against?: number | undefined
}

/** The diff of a task as far as it is known. */
export interface DiffState {
  files: DiffFile[]
  facts: Omit<IpcOutput<'task.diff'>, 'diff'> | undefined
  error: AppError | undefined
  /** Bytes read so far, while it is being read. */
  readBytes: number | undefined
  reload(): void
}

/** Reads a diff, and again when its task has changed. What is shown stays until the new one is here. */
export function useDiff(host: string, taskId: string, { round, against }: DiffChoice): DiffState {
  const [shown, setShown] = useState<{ key: string; files: DiffFile[]; facts: DiffState['facts'] }>()
  const [error, setError] = useState<AppError>()
  const [readBytes, setReadBytes] = useState<number | undefined>(0)
  const [turn, setTurn] = useState(0)
  const last = useRef<{ text: string; key: string }>(undefined)
  const reading = useRef({ isOn: false, isStale: false })
  const key = `${round ?? ''} ${against ?? ''}`
  useEffect(() => {
    const jobId = newJobId()
    let isOver = false
    reading.current = { isOn: true, isStale: false }
    setReadBytes(0)
    setError(undefined)
    const stop = subscribe('job.progress', (step) => step.jobId === jobId && setReadBytes(step.done ?? 0))
    call('task.diff', {
      host,
      taskId,
      jobId,
      ...(round === undefined ? {} : { round }),
      ...(against === undefined ? {} : { against }),
    })
      .then(
        async ({ diff, ...facts }) => {
          // Unchanged text keeps its lines, and with them colours, comments' places and the scroll position.
          if (isOver) return
          if (last.current?.text === diff && last.current.key === key) {
            setShown((before) => (before === undefined ? before : { ...before, facts }))
            return
          }
          const files = await readDiff(diff, () => isOver)
          if (files === undefined) return
          last.current = { text: diff, key }
          setShown({ key, files, facts })
        },
        (reason: unknown) => !isOver && setError(asAppError(reason)),
      )
      .finally(() => {
        if (isOver) return
        setReadBytes(undefined)
        const { isStale } = reading.current
        reading.current = { isOn: false, isStale: false }
        if (isStale) setTurn((count) => count + 1)
      })
    return () => {
      isOver = true
      stop()
      cancelJob(jobId)
    }
  }, [host, taskId, round, against, key, turn])
  useEffect(() => {
    const concerns = touches(host, taskId)
    return onDeskChange((change) => {
      if (!concerns(change)) return
      // One that is being read is read to its end first: a busy agent would otherwise never let it come to one.
      if (reading.current.isOn) reading.current.isStale = true
      else setTurn((count) => count + 1)
    })
  }, [host, taskId])
  const isCurrent = shown?.key === key
  return {
    files: isCurrent ? shown.files : NONE,
    facts: isCurrent ? shown.facts : undefined,
    error,
    readBytes: isCurrent ? undefined : readBytes,
    reload: () => setTurn((count) => count + 1),
  }
}

const NONE: DiffFile[] = []

const TURN_MS = 10

/** Reads a diff a few milliseconds at a time; undefined when nobody wants it any more. */
async function readDiff(text: string, isOver: () => boolean): Promise<DiffFile[] | undefined> {
  const steps = parseInSteps(text)
  let begunAt = performance.now()
  while (!isOver()) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (performance.now() - begunAt < TURN_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    begunAt = performance.now()
  }
  return undefined
}
