import { EventEmitter } from 'node:events'
import { schemes } from './platform-state.ts'
import type { SchemeHandler } from './schemes.ts'

type RequestHandler = (
  contents: object,
  permission: string,
  callback: (granted: boolean) => void,
  details: { isMainFrame: boolean; requestingUrl: string },
) => void
type CheckHandler = (contents: object | null, permission: string, origin: string, details: object) => boolean

/** A session that remembers who answers for permissions, so that tests can ask. */
export class Session extends EventEmitter {
  readonly protocol = {
    handle: (scheme: string, handler: SchemeHandler) => schemes.handle(scheme, handler),
  }
  requestHandler: RequestHandler | undefined
  checkHandler: CheckHandler | undefined
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.requestHandler = handler
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.checkHandler = handler
  }
  setDevicePermissionHandler(): void {
    // Chromium without a screen has no devices to give.
  }
}

export const session = { defaultSession: new Session() }
/** Schemes that were registered as privileged. */
export const privileged: unknown[] = []
export const protocol = {
  registerSchemesAsPrivileged: (schemesToKnow: unknown[]) => void privileged.push(...schemesToKnow),
}
