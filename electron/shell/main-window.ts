import { screen, type BrowserWindow } from 'electron'
import { pageUrl } from './app-url.ts'
import type { WindowChannel } from './ipc.ts'
import { fitBounds, SMALLEST, type createWindowStateFile } from './window-state.ts'

/** What closing the window does, which depends on whether there is another way back to the desk. */
export type OnClose = 'hide' | 'minimise'

/** The desk's window: at most one. It is made at first use and kept when it is closed. */
export interface MainWindow {
  /** Brings it to the front; with a route it goes there. */
  show(route?: string): void
  /** Shows a hidden window; hides the one that has the keyboard. */
  toggle(): void
  /** Has a function work on the window, which is brought to the front first. */
  withWindow(work: (window: BrowserWindow) => void): void
  current(): BrowserWindow | undefined
  /** From now on closing really closes. */
  allowClose(): void
}

/** Needs of the main window. `make` makes a locked window; `onFirstClose` tells the person once what closing does. */
export interface MainWindowNeeds {
  make(options: Electron.BrowserWindowConstructorOptions): BrowserWindow
  channel: WindowChannel
  state: ReturnType<typeof createWindowStateFile>
  onClose(): OnClose
  onFirstClose(what: OnClose): void
  /** A window that is about to load its page; for whoever watches over it. */
  onMade(window: BrowserWindow): void
}

/** The main window of a shell, before it is opened for the first time. */
export function createMainWindow(needs: MainWindowNeeds): MainWindow {
  let window: BrowserWindow | undefined
  let mayClose = false
  /** Whether the page is there to hear something; until then what it shall hear waits. */
  let isLoaded = false
  let untilLoaded: (() => void)[] = []

  function open(route: string | undefined): BrowserWindow {
    const made = needs.make(openingOptions(needs.state.read()))
    window = made
    needs.channel.admit(made)
    needs.onMade(made)
    if (needs.state.read().maximised) made.maximize()
    let isPutAway = false
    // Who closed it before it was drawn does not want to see it any more.
    made.once('ready-to-show', () => isPutAway || made.show())
    made.webContents.on('did-finish-load', () => {
      isLoaded = true
      for (const work of untilLoaded.splice(0)) work()
    })
    made.webContents.on('render-process-gone', () => {
      isLoaded = false
    })
    rememberBounds(made, needs.state)
    made.on('close', (event) => {
      if (mayClose) return
      event.preventDefault()
      const what = needs.onClose()
      isPutAway = true
      if (what === 'hide') made.hide()
      else made.minimize()
      if (needs.state.read().closeExplained) return
      needs.state.change({ closeExplained: true })
      needs.onFirstClose(what)
    })
    made.once('closed', () => {
      window = undefined
      isLoaded = false
      untilLoaded = []
    })
    // A page that cannot be loaded is told by `did-fail-load`, which the crash guard hears.
    made.loadURL(pageUrl(route)).catch(() => undefined)
    return made
  }

  function show(route?: string): void {
    if (window === undefined) {
      open(route)
      return
    }
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    const shown = window
    if (route !== undefined)
      whenLoaded(() => needs.channel.tell(shown, { name: 'desk.navigate', payload: { route } }))
  }

  function whenLoaded(work: () => void): void {
    if (isLoaded) work()
    else untilLoaded.push(work)
  }

  return {
    show,
    toggle() {
      if (window?.isVisible() === true && window.isFocused()) window.hide()
      else show()
    },
    withWindow(work) {
      show()
      const shown = window
      if (shown !== undefined) whenLoaded(() => work(shown))
    },
    current: () => window,
    allowClose() {
      mayClose = true
    },
  }
}

function openingOptions(state: {
  bounds?: Electron.Rectangle | undefined
}): Electron.BrowserWindowConstructorOptions {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  const bounds = fitBounds(
    state.bounds,
    [primary, ...others].map(({ workArea }) => workArea),
  )
  return {
    ...bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    title: 'Handoff',
    autoHideMenuBar: process.platform !== 'darwin',
    // What is seen before the page has drawn; the page paints its own background over it.
    backgroundColor: '#00000000',
  }
}

/** The window has come to rest when it has not moved for this long. */
const AT_REST_MS = 500

/** Keeps the place of the window once it has come to rest. */
function rememberBounds(window: BrowserWindow, state: MainWindowNeeds['state']): void {
  let timer: NodeJS.Timeout | undefined
  const save = (): void => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    state.change({ bounds: window.getNormalBounds(), maximised: window.isMaximized() })
  }
  const saveSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(save, AT_REST_MS)
  }
  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('hide', save)
  window.on('close', save)
  window.once('closed', () => clearTimeout(timer))
}
