import type { IpcEvent, IpcEventName } from '../../../shared/ipc.ts'
import type { DeskLogger } from './log.ts'
import type { DeskEvent } from './types.ts'

/** How the services tell windows something. */
export interface DeskEvents {
  /** Without `windowId` it is for all windows. */
  tell<N extends IpcEventName>(name: N, payload: IpcEvent<N>, windowId?: string): void
  publish(event: DeskEvent): void
  /** A window is there: notices that nobody could hear yet are told now, and later ones at once. */
  windowIsThere(): void
  onEvent(listener: (event: DeskEvent) => void): () => void
}

const MAX_HELD = 20

/** Hands events to shells. A shell that throws is written down and keeps nobody else from hearing. */
export function createDeskEvents(log: DeskLogger): DeskEvents {
  const listeners = new Set<(event: DeskEvent) => void>()
  let held: DeskEvent[] | undefined = []
  function publish(event: DeskEvent): void {
    if (event.name === 'desk.notice' && held !== undefined) {
      held = [...held, event].slice(-MAX_HELD)
      return
    }
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
    windowIsThere() {
      if (held === undefined) return
      const waiting = held
      held = undefined
      // After the answer that the window waits for.
      setImmediate(() => waiting.forEach(publish))
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
