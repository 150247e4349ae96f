import { useCallback, useEffect, useRef, useState } from 'react'
import { AppError } from '../../shared/errors.ts'
import type { IpcCallName, IpcEvent, IpcInput, IpcOutput } from '../../shared/ipc.ts'
import { call } from './bridge.ts'
import { onDeskChange } from './desk-store.ts'

/** What a component knows of a call: the last answer stays while a newer one is fetched. */
export interface CallState<T> {
  data: T | undefined
  error: AppError | undefined
  isLoading: boolean
  reload(): void
}

const MAX_REMEMBERED = 40
/** Last answers, so that going back to a screen shows it at once. */
const remembered = new Map<string, unknown>()

function remember(key: string, value: unknown): void {
  remembered.delete(key)
  remembered.set(key, value)
  const oldest = remembered.keys().next().value
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}

/**
 * The answer of a call that reads, fetched when its input changes and again when `refreshOn` says that a change of the desk
 * concerns it. With `input` undefined nothing is fetched.
 */
export function useCall<N extends IpcCallName>(
  name: N,
  input: IpcInput<N> | undefined,
  { refreshOn }: { refreshOn?: (change: IpcEvent<'desk.changed'>) => boolean } = {},
): CallState<IpcOutput<N>> {
  const key = input === undefined ? undefined : `${name} ${JSON.stringify(input)}`
  const [shown, setShown] = useState<{ key: string; data?: IpcOutput<N>; error?: AppError }>()
  const [isLoading, setLoading] = useState(false)
  const latest = useRef(0)
  const current = useRef({ input, refreshOn })
  current.current = { input, refreshOn }

  const reload = useCallback(() => {
    const asked = current.current.input
    if (key === undefined || asked === undefined) return
    const turn = (latest.current += 1)
    setLoading(true)
    call(name, asked).then(
      (data) => {
        remember(key, data)
        if (turn !== latest.current) return
        setShown({ key, data })
        setLoading(false)
      },
      (error: unknown) => {
        if (turn !== latest.current) return
        setShown((before) => ({ ...(before?.key === key ? before : { key }), error: asAppError(error) }))
        setLoading(false)
      },
    )
  }, [key, name])

  useEffect(() => {
    reload()
    return () => {
      latest.current += 1
    }
  }, [reload])
  useEffect(
    () => onDeskChange((change) => current.current.refreshOn?.(change) === true && reload()),
    [reload],
  )

  const isCurrent = shown !== undefined && shown.key === key
  const fallback = key === undefined ? undefined : (remembered.get(key) as IpcOutput<N> | undefined)
  return {
    data: isCurrent ? (shown.data ?? fallback) : fallback,
    error: isCurrent ? shown.error : undefined,
    isLoading,
    reload,
  }
}

/** Whether a change concerns one task. */
export function touches(host: string, taskId: string): (change: IpcEvent<'desk.changed'>) => boolean {
  return ({ tasks }) => tasks === 'all' || tasks.includes(`${host}/${taskId}`)
}

/** What was thrown, as something with a code. */
export function asAppError(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError({ code: 'internal', message: error instanceof Error ? error.message : String(error) })
}
