import type { Page } from 'playwright-core'
import type { Bridge, IpcAnswer } from '../../shared/ipc.ts'
import { eventually } from './desk-page.ts'
import type { TestElectronDesk } from './electron-desk.ts'

/** Calls the services as the page itself would. */
export function callBridge(page: Page, name: string, input: unknown = {}): Promise<IpcAnswer> {
  return page.evaluate(
    ([what, given]) => (window as unknown as { handoff: Bridge }).handoff.call(what as string, given),
    [name, input] as const,
  )
}

/** The main window as the system knows it. */
export async function mainWindow(desk: TestElectronDesk) {
  const found = (await desk.windows()).find(({ url }) => !url.endsWith('#/tray'))
  if (found === undefined) throw new Error('There is no main window.')
  return found
}

/** The small window beside the tray icon, once it was opened. */
export async function trayWindow(desk: TestElectronDesk) {
  return (await desk.windows()).find(({ url }) => url.endsWith('#/tray'))
}

/** Closes the main window, so that nothing of the desk is on the screen. */
export async function putAway(desk: TestElectronDesk): Promise<void> {
  await desk.ask('closeWindow', { id: (await mainWindow(desk)).id })
}

/** Waits for a notification with these words that is on the screen of the system. */
export function notificationWith(desk: TestElectronDesk, text: string) {
  return eventually(`a notification with “${text}”`, async () =>
    (await desk.notifications()).find(
      ({ state, title, body }) => state === 'shown' && `${title} ${body}`.includes(text),
    ),
  )
}

/** An entry of the tray's menu that has a menu of its own. */
export interface TrayMenuEntry {
  label: string
  submenu: (string | { label: string })[]
}

/** Waits for a ticket in the tray's menu. */
export function trayMenuEntry(desk: TestElectronDesk, text: string): Promise<TrayMenuEntry> {
  return eventually(`“${text}” in the tray menu`, async () =>
    ((await desk.tray()).menu as (string | TrayMenuEntry)[]).find(
      (entry): entry is TrayMenuEntry =>
        typeof entry !== 'string' && entry.label.includes(text) && 'submenu' in entry,
    ),
  )
}
