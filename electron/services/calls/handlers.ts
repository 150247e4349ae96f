import type { IpcHandlers } from '../../../shared/ipc.ts'
import { createDeskHandlers } from './desk-handlers.ts'
import { createHostHandlers } from './host-handlers.ts'
import type { CallServices } from './services.ts'
import { createTerminalHandlers } from './terminal-handlers.ts'
import { createWorkHandlers } from './work-handlers.ts'

/** A function for every declared call; one that is missing does not compile. */
export function createHandlers(services: CallServices): IpcHandlers {
  return {
    ...createDeskHandlers(services),
    ...createHostHandlers(services),
    ...createWorkHandlers(services),
    ...createTerminalHandlers(services),
  }
}
