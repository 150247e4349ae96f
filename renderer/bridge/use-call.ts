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

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`
}

/** Asks before a component does, which then has something to show at once. It asks again, and shows what went wrong. */
export function prepareCall<N extends IpcCallName>(name: N, input: IpcInput<N>): void {
  call(name, input).then(
    (data) => remember(keyOf(name, input), data),
    () => undefined,
  )
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
  const key = input === undefined ? undefined : keyOf(name, input)
  const [shown, setShown] = useState<{ key: string; data?: IpcOutput<N>; error?: AppError }>()
  const [isLoading, setLoading] = useState(false)
  const current = useRef({ key, input, refreshOn })
  current.current = { key, input, refreshOn }
  /** The key that is being asked for, and whether something changed meanwhile. */
  const asking = useRef<{ key: string; again: boolean }>(undefined)

  const reload = useCallback(() => {
    const { key: wanted, input: asked } = current.current
    if (wanted === undefined || asked === undefined) return
    // One question at a time: with changes coming faster than answers, newer questions would keep every answer away.
    if (asking.current?.key === wanted) return void (asking.current.again = true)
    const turn = { key: wanted, again: false }
    asking.current = turn
    setLoading(true)
    call(name, asked)
      .then(
        (data) => {
          remember(wanted, data)
          if (current.current.key === wanted) setShown({ key: wanted, data })
        },
        (error: unknown) => {
          if (current.current.key === wanted)
            setShown((before) => ({
              ...(before?.key === wanted ? before : { key: wanted }),
              error: asAppError(error),
            }))
        },
      )
      .finally(() => {
        if (asking.current !== turn) return
        asking.current = undefined
        if (turn.again) reload()
        else setLoading(false)
      })
  }, [name])

  useEffect(() => {
    asking.current = undefined
    reload()
  }, [key, reload])
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
