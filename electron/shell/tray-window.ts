import { screen, type BrowserWindow, type Rectangle } from 'electron'
import { pageUrl, routeOfUrl } from './app-url.ts'
import type { WindowChannel } from './ipc.ts'
import { placeBeside } from './window-state.ts'

const TRAY_ROUTE = '/tray'
const SIZE = { width: 380, height: 520 }
/** A click on the icon takes the keyboard from the window first, which hides it; that click must not open it again. */
const SAME_CLICK_MS = 250

/** The small window beside the tray icon: what waits, with buttons. */
export interface TrayWindow {
  /** Opens it beside the icon, or hides it. False where the system does not say where the icon is. */
  toggle(icon: Rectangle): boolean
  dispose(): void
}

/** Makes the window at first use; it hides when it loses the keyboard. */
export function createTrayWindow({
  make,
  channel,
  onMade,
  onRoute,
}: {
  make(options: Electron.BrowserWindowConstructorOptions): BrowserWindow
  channel: WindowChannel
  onMade(window: BrowserWindow): void
  onRoute(route: string): void
}): TrayWindow {
  let window: BrowserWindow | undefined
  let hiddenAt = -Infinity

  function open(): BrowserWindow {
    const made = make({
      ...SIZE,
      show: false,
      frame: false,
      resizable: false,
      movable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      title: 'Handoff',
    })
    window = made
    channel.admit(made)
    onMade(made)
    made.on('blur', () => hide())
    made.webContents.on('did-navigate-in-page', (_event, url) => {
      const route = routeOfUrl(url)
      if (route === undefined || route === TRAY_ROUTE) return
      // Whatever leads away from the list is for the large window; the small one stays what it is.
      hide()
      channel.tell(made, { name: 'desk.navigate', payload: { route: TRAY_ROUTE } })
      onRoute(route)
    })
    made.once('closed', () => {
      window = undefined
    })
    // As in the main window, the crash guard hears `did-fail-load`.
    made.loadURL(pageUrl(TRAY_ROUTE)).catch(() => undefined)
    return made
  }

  function hide(): void {
    if (window?.isVisible() !== true) return
    hiddenAt = performance.now()
    window.hide()
  }

  return {
    toggle(icon) {
      if (icon.width === 0 || icon.height === 0) return false
      if (window?.isVisible() === true) {
        hide()
        return true
      }
      if (performance.now() - hiddenAt < SAME_CLICK_MS) return true
      const shown = window ?? open()
      const { workArea } = screen.getDisplayNearestPoint({ x: icon.x, y: icon.y })
      const { x, y } = placeBeside(icon, SIZE, workArea)
      shown.setPosition(x, y)
      shown.show()
      shown.focus()
      return true
    },
    dispose: () => window?.destroy(),
  }
}
