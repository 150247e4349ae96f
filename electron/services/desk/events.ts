import type { IpcEvent, IpcEventName } from '../../../shared/ipc.ts'
import type { DeskLogger } from './log.ts'
import type { DeskEvent } from './types.ts'

/** How the services tell windows something. */
export interface DeskEvents {
  /** Without `windowId` it is for all windows. */
  tell<N extends IpcEventName>(name: N, payload: IpcEvent<N>, windowId?: string): void
  publish(event: DeskEvent): void
  onEvent(listener: (event: DeskEvent) => void): () => void
}

/** Hands events to shells. A shell that throws is written down and keeps nobody else from hearing. */
export function createDeskEvents(log: DeskLogger): DeskEvents {
  const listeners = new Set<(event: DeskEvent) => void>()
  function publish(event: DeskEvent): void {
    for (const listener of [...listeners])
      try {
        listener(event)
      } catch (error) {
        log.error({ err: error, event: event.name }, 'a shell could not take an event')
      }
  }
  return {
    // Name and payload were checked together by the signature; the union cannot be built generically.
    tell: (name, payload, windowId) => publish({ name, payload, windowId } as DeskEvent),
    publish,
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
