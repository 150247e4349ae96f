import type { IpcCallName, IpcInput, IpcOutput } from '../../shared/ipc.ts'
import { call } from './bridge.ts'
import { deskNow } from './desk-store.ts'

/** The part of a list with which every list begins. */
export const FIRST_WINDOW = { offset: 0, limit: 100 }

/** An answer that was there before it was asked for. */
export interface Ahead<T> {
  answer: T
  /** Whether the desk has told of no change since. */
  isFresh(): boolean
}

let ahead: { key: string; answer: unknown; revision: number } | undefined

/**
 * Asks before there is a screen that wants to know, so that what the first one shows comes together with the state of the desk.
 * Never rejects: when it fails, the screen asks again and shows why.
 */
export async function askAhead<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<void> {
  await call(name, input).then(
    (answer) => (ahead = { key: keyOf(name, input), answer, revision: deskNow().revision }),
    () => undefined,
  )
}

/** The answer that was asked for ahead; only once, and only while it is fresh. */
export function takeAhead<N extends IpcCallName>(
  name: N,
  input: IpcInput<N>,
): Ahead<IpcOutput<N>> | undefined {
  const taken = ahead
  if (taken === undefined || taken.key !== keyOf(name, input)) return undefined
  ahead = undefined
  const isFresh = () => taken.revision === deskNow().revision
  // The key says which call has given it.
  return isFresh() ? { answer: taken.answer as IpcOutput<N>, isFresh } : undefined
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`
}
