import { AppError, fromWireError } from '../../shared/errors.ts'
import type { Bridge, IpcCallName, IpcEvent, IpcEventName, IpcInput, IpcOutput } from '../../shared/ipc.ts'
import { tellFailure } from './failures.ts'
import { nameCall } from './running-calls.ts'

declare global {
  interface Window {
    /** Put there by the preload script; absent in the browser shell. */
    handoff?: Bridge
  }
}

let bridge: Bridge | undefined
const listeners = new Map<string, Set<(payload: never) => void>>()

/** Connects the window with its services; called once, before anything is drawn. */
export function startBridge(made: Bridge): void {
  bridge = made
  made.subscribe((name, payload) => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never)
  })
}

/** Calls a service; rejects with an AppError. What comes back was checked by the services against the contract. */
export async function call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcOutput<N>> {
  if (bridge === undefined) throw new AppError({ code: 'internal', message: 'The window has no services.' })
  const named = nameCall(name, input)
  const answer = await bridge.call(name, named.input).finally(named.ended)
  if (!answer.ok) throw fromWireError(answer.error)
  return answer.value as IpcOutput<N>
}

/** Hears an event of the services; answers how to stop. */
export function subscribe<N extends IpcEventName>(
  name: N,
  listener: (payload: IpcEvent<N>) => void,
): () => void {
  const set = listeners.get(name) ?? new Set()
  listeners.set(name, set)
  set.add(listener as (payload: never) => void)
  return () => set.delete(listener as (payload: never) => void)
}

/** An id for a job that this window starts. */
export function newJobId(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** Asks for the end of a job; the call that began it tells how it ended. */
export function cancelJob(jobId: string): void {
  // A lost connection fails that call as well, which is where it is shown.
  call('job.cancel', { jobId }).catch(() => undefined)
}

/** Opens a web page in the person's own program. */
export function openUrl(url: string): void {
  call('open.url', { url }).catch(tellFailure)
}
