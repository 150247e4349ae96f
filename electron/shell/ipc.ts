import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { AppError, toWireError, type ErrorCode } from '../../shared/errors.ts'
import type { IpcAnswer, IpcCaller } from '../../shared/ipc.ts'
import type { Desk, DeskEvent } from '../services/desk/types.ts'
import { isAppUrl } from './app-url.ts'
import { isModestPlainData } from './input-size.ts'
import type { ShellLog } from './log.ts'

/** The two channels between windows and services; the preload script knows the same two. */
const CALL = 'handoff:call'
const EVENT = 'handoff:event'

/** The only place where windows and services meet. */
export interface WindowChannel {
  /** From now on this window's page may call, and hears events. */
  admit(window: BrowserWindow): void
  /** Tells one window something. */
  tell(window: BrowserWindow, event: DeskEvent): void
  /** Who this window is to the services. */
  callerOf(window: BrowserWindow): IpcCaller
  dispose(): void
}

/**
 * Lets admitted windows call the desk and passes its events on. A call is served only when it comes from the main frame of an
 * admitted window that shows one of our pages; whatever else arrives is answered with an error and never reaches the desk.
 */
export function createWindowChannel({ desk, log }: { desk: Desk; log: ShellLog }): WindowChannel {
  const windows = new Map<number, BrowserWindow>()

  function refuse(code: ErrorCode, message: string, event: IpcMainInvokeEvent): IpcAnswer {
    log.warn({ code, contents: event.sender.id }, 'a call from a window was refused')
    return { ok: false, error: toWireError(new AppError({ code, message })) }
  }

  ipcMain.handle(CALL, async (event, request: unknown): Promise<IpcAnswer> => {
    if (!isOurPage(event, windows)) return refuse('forbidden', 'Only the desk’s own windows may call.', event)
    if (!isModestPlainData(request))
      return refuse('too_large', 'The call carries too much or no plain data.', event)
    return desk.call(request, { windowId: windowIdOf(event.sender.id) })
  })

  function tell(window: BrowserWindow, event: DeskEvent): void {
    if (window.isDestroyed() || window.webContents.isDestroyed() || window.webContents.isCrashed()) return
    window.webContents.send(EVENT, event.name, event.payload)
  }

  const stopEvents = desk.onEvent((event) => {
    for (const [id, window] of windows)
      if (event.windowId === undefined || event.windowId === windowIdOf(id)) tell(window, event)
  })

  return {
    admit(window) {
      const { webContents } = window
      const { id } = webContents
      windows.set(id, window)
      // A page that was loaded again has forgotten its terminals; those of the page before it are closed.
      webContents.on('did-start-navigation', (details) => {
        if (details.isMainFrame && !details.isSameDocument) desk.windowClosed(windowIdOf(id))
      })
      webContents.on('render-process-gone', () => desk.windowClosed(windowIdOf(id)))
      window.once('closed', () => {
        windows.delete(id)
        desk.windowClosed(windowIdOf(id))
      })
    },
    tell,
    callerOf: (window) => ({ windowId: windowIdOf(window.webContents.id) }),
    dispose() {
      stopEvents()
      ipcMain.removeHandler(CALL)
    },
  }
}

function isOurPage(event: IpcMainInvokeEvent, windows: ReadonlyMap<number, BrowserWindow>): boolean {
  const frame = event.senderFrame
  // null: the frame has gone or moved on since it called.
  if (frame === null || frame.parent !== null) return false
  const window = windows.get(event.sender.id)
  return window !== undefined && !window.isDestroyed() && isAppUrl(frame.url)
}

function windowIdOf(contentsId: number): string {
  return `window-${contentsId}`
}
