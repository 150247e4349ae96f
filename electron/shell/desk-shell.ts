import { app, Menu, session, shell } from 'electron'
import path from 'node:path'
import type { Home } from '../../shared/node/home.ts'
import type { Desk } from '../services/desk/types.ts'
import { serveRenderer } from './app-protocol.ts'
import { routeOfUrl } from './app-url.ts'
import { createBadge } from './badge.ts'
import { guardPage, watchProcesses } from './crash.ts'
import type { ShellInstallation } from './installation.ts'
import { createWindowChannel, type WindowChannel } from './ipc.ts'
import type { ShellLog } from './log.ts'
import { createMainWindow, type MainWindow } from './main-window.ts'
import { applicationMenu, type MenuActions } from './menu.ts'
import type { SystemNotifier } from './notifications.ts'
import { watchPower } from './power.ts'
import { createDeskTray } from './tray.ts'
import { createTrayWindow } from './tray-window.ts'
import type { Updates } from './updates.ts'
import { createLockedWindow, lockSession } from './window-security.ts'
import { createWindowStateFile } from './window-state.ts'
import type { Words } from '../services/words/words.ts'

/** Needs of what a person sees of the desk. */
export interface DeskShellNeeds {
  desk: Desk
  home: Home
  installation: ShellInstallation
  words: Words
  notifier: SystemNotifier
  updates: Updates
  hasTray: boolean
  log: ShellLog
}

/** The windows, the tray, the menu and the badge around a desk. */
export interface DeskShell {
  open(route?: string): void
  mainWindow: MainWindow
  dispose(): void
}

/** Puts the tray there and prepares everything else; the window is made when it is opened first. */
export function createDeskShell(needs: DeskShellNeeds): DeskShell {
  const { desk, words, notifier, log, installation } = needs
  const pages = session.defaultSession
  lockSession(pages)
  serveRenderer(pages, installation.renderer)
  watchProcesses(log)
  const channel = createWindowChannel({ desk, log })
  const make = (options: Electron.BrowserWindowConstructorOptions) =>
    createLockedWindow(options, {
      preload: installation.preload,
      session: pages,
      onLink: (url, from) => follow(url, channel.callerOf(from)),
    })
  const onMade = (window: Electron.BrowserWindow): void => guardPage(window, log)
  const mainWindow = createMainWindow({
    make,
    channel,
    onMade,
    state: createWindowStateFile(path.join(needs.home.root, 'desk/window.json')),
    onClose: () => (needs.hasTray ? 'hide' : 'minimise'),
    onFirstClose: (what) =>
      notifier.tell(
        words('shell.staysTitle'),
        words(what === 'hide' ? 'shell.staysInTray' : 'shell.staysMinimised'),
      ),
  })
  const open = (route?: string): void => mainWindow.show(route)
  const trayWindow = createTrayWindow({ make, channel, onMade, onRoute: open })

  /** A link on a page: to another of our own pages in the large window, to the web in the person's browser. */
  function follow(url: string, caller: ReturnType<WindowChannel['callerOf']>): void {
    const route = routeOfUrl(url)
    if (route !== undefined) open(route)
    else void desk.call({ name: 'open.url', input: { url } }, caller)
  }

  const stops = showAttention(needs, { open, mainWindow, popover: (icon) => trayWindow.toggle(icon) })
  const power = watchPower((why) => {
    log.info({ why }, 'the hosts are looked for again')
    desk.wake()
  })
  const setMenu = (): void =>
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        applicationMenu({ platform: process.platform, words, on: menuActions(needs, mainWindow, channel) }),
      ),
    )
  setMenu()
  const stopSettings = desk.settings.onChange(setMenu)
  return {
    open,
    mainWindow,
    dispose() {
      stopSettings()
      stops.dispose()
      power.dispose()
      mainWindow.allowClose()
      trayWindow.dispose()
      channel.dispose()
    },
  }
}

/** Keeps the tray and the badge as the desk wants them. */
function showAttention(
  { desk, words, installation, notifier, log }: DeskShellNeeds,
  on: { open(route?: string): void; mainWindow: MainWindow; popover(icon: Electron.Rectangle): boolean },
): { dispose(): void } {
  const tray = createDeskTray({
    imageFolder: installation.trayImages,
    words,
    popover: on.popover,
    on: {
      open: on.open,
      quit: () => app.quit(),
      act(what, route) {
        desk.act(what).catch((error: unknown) => {
          log.warn({ why: String(error) }, 'a choice in the tray could not be carried out')
          notifier.tell(words('shell.notDoneTitle'), words('shell.notDone'), () => on.open(route))
          on.open(route)
        })
      },
    },
  })
  const badge = createBadge({
    imageFolder: installation.trayImages,
    words,
    window: () => on.mainWindow.current(),
  })
  const show = (attention: ReturnType<Desk['attention']>): void => {
    tray.update(attention)
    badge.show(attention.badge)
  }
  show(desk.attention())
  const stopAttention = desk.onAttention(show)
  const stopSettings = desk.settings.onChange(() => tray.redraw())
  return {
    dispose() {
      stopAttention()
      stopSettings()
      tray.dispose()
    },
  }
}

function menuActions(
  { desk, home, updates }: DeskShellNeeds,
  mainWindow: MainWindow,
  channel: WindowChannel,
): MenuActions {
  return {
    go: (route) => mainWindow.show(route),
    command: (command) =>
      mainWindow.withWindow((window) => channel.tell(window, { name: 'desk.command', payload: { command } })),
    history(direction) {
      const history = mainWindow.current()?.webContents.navigationHistory
      if (direction === 'back') history?.goBack()
      else history?.goForward()
    },
    wakeHosts: () => desk.wake(),
    openLogs: () => void shell.openPath(home.logs),
    showAbout: () => app.showAboutPanel(),
    checkForUpdates: updates.isOn ? () => updates.check() : undefined,
    quit: () => app.quit(),
  }
}
