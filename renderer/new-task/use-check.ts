import { useEffect, useRef, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { IpcOutput } from '../../shared/ipc.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import type { Draft } from './use-draft.ts'

const TYPING_MS = 250

/** What would stop the task, asked again a moment after the form changed. */
export interface Check {
  result: IpcOutput<'task.check'> | undefined
  error: AppError | undefined
  isChecking: boolean
}

/** Checks a draft while it is filled in. An answer to an older question is dropped. */
export function useCheck({ host, repoPath, executor, base, inPlace }: Draft): Check {
  const [check, setCheck] = useState<Check>({ result: undefined, error: undefined, isChecking: false })
  const turn = useRef(0)
  useEffect(() => {
    const mine = (turn.current += 1)
    if (!/^(\/|~|[A-Za-z]:)/.test(repoPath))
      return setCheck({ result: undefined, error: undefined, isChecking: false })
    setCheck((before) => ({ ...before, isChecking: true }))
    const timer = setTimeout(() => {
      call('task.check', { host, repoPath, executor, inPlace, ...(base === '' ? {} : { base }) }).then(
        (answer) => {
          // That no executor is chosen yet is no news of the host's.
          const problems = answer.problems.filter(({ field }) => executor !== '' || field !== 'executor')
          const result = { ...answer, problems }
          return mine === turn.current && setCheck({ result, error: undefined, isChecking: false })
        },
        (reason: unknown) =>
          mine === turn.current &&
          setCheck({ result: undefined, error: asAppError(reason), isChecking: false }),
      )
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [host, repoPath, executor, base, inPlace])
  return check
}
