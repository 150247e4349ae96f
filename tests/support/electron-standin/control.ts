// The test's hands and eyes inside the stand-in: requests over the channel that child_process opened.
import { readFileSync } from 'node:fs'
import { app, told } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { portFile } from './cdp.ts'
import {
  chosenFolders,
  globalShortcut,
  Menu,
  Notification,
  opened,
  powerMonitor,
  takenElsewhere,
  Tray,
} from './desktop.ts'
import { createEvent } from './event.ts'
import { profileFolder } from './platform-state.ts'
import { privileged, session } from './session.ts'
import { running } from './utility-process.ts'

function windowOf(id: number): BrowserWindow {
  const window = BrowserWindow.getAllWindows().find((candidate) => candidate.id === id)
  if (window === undefined) throw new Error(`There is no window ${id}.`)
  return window
}

function theTray(): Tray {
  if (Tray.current === undefined || Tray.current.isGone) throw new Error('There is no tray.')
  return Tray.current
}

function notificationAt(index: number): Notification {
  const notification = Notification.shown[index]
  if (notification === undefined) throw new Error(`There is no notification ${index}.`)
  return notification
}

/** Everything a test can ask; answers are JSON. */
const answers = {
  debuggingPort: () => Number(readFileSync(portFile(profileFolder()), 'utf8').split('\n')[0]),
  tray() {
    const { image, title, toolTip, menu, poppedUp, isGone } = theTray()
    return {
      image: image.file.split('/').at(-1),
      isTemplate: image.isTemplate,
      title,
      toolTip,
      menu: (menu ?? poppedUp)?.read() ?? [],
      isGone,
    }
  },
  clickTray: ({ button = 'click' }: { button?: 'click' | 'right-click' }) =>
    void theTray().emit(button, createEvent({}), theTray().getBounds(), { x: 0, y: 0 }),
  clickTrayMenu({ labels }: { labels: string[] }) {
    const { menu, poppedUp } = theTray()
    ;(menu ?? poppedUp)?.click(labels)
  },
  menu: () => Menu.application?.read() ?? [],
  clickMenu: ({ labels }: { labels: string[] }) => Menu.application?.click(labels),
  notifications: () =>
    Notification.shown.map(({ options, state }, index) => ({
      index,
      state,
      title: String(options['title']),
      body: String(options['body']),
      options,
    })),
  clickNotification: ({ index }: { index: number }) =>
    void notificationAt(index).emit('click', createEvent({})),
  actOnNotification: ({ index, action }: { index: number; action: number }) =>
    void notificationAt(index).emit('action', createEvent({ actionIndex: action, selectionIndex: -1 })),
  replyToNotification: ({ index, text }: { index: number; text: string }) =>
    void notificationAt(index).emit('reply', createEvent({ reply: text }), text),
  failNotification: ({ index, why }: { index: number; why: string }) => notificationAt(index).fail(why),
  windows: async () =>
    Promise.all(
      BrowserWindow.getAllWindows().map(async (window) => ({
        id: window.id,
        url: window.webContents.getURL(),
        targetId: (await window.webContents.page).targetId,
        isVisible: window.isVisible(),
        isFocused: window.isFocused(),
        isMinimized: window.isMinimized(),
        isCrashed: window.webContents.isCrashed(),
        overlay: window.overlay,
        bounds: window.getBounds(),
        frame: (window.options as { frame?: boolean }).frame ?? true,
        webPreferences: { ...window.options.webPreferences, session: undefined },
      })),
    ),
  closeWindow: ({ id }: { id: number }) => windowOf(id).close(),
  blurWindow: ({ id }: { id: number }) => windowOf(id).blur(),
  focusWindow: ({ id }: { id: number }) => windowOf(id).focus(),
  moveWindow: ({ id, ...bounds }: { id: number }) => windowOf(id).setBounds(bounds),
  async crashWindow({ id }: { id: number }) {
    // Its answer never comes: the process that would give it is gone.
    void (await windowOf(id).webContents.page).send('Page.crash').catch(() => undefined)
  },
  invokeFrom: ({ id, frame, channel, args }: Invoke) =>
    windowOf(id).webContents.invokeFrom(frame, channel, args),
  permission({ id, permission, origin }: { id: number; permission: string; origin: string }) {
    const { requestHandler, checkHandler } = session.defaultSession
    const contents = windowOf(id).webContents
    let isGranted: boolean | undefined
    const details = { isMainFrame: true, requestingUrl: origin }
    requestHandler?.(contents, permission, (granted) => (isGranted = granted), details)
    return { request: isGranted, check: checkHandler?.(contents, permission, origin, details) }
  },
  power: ({ event }: { event: string }) => void powerMonitor.emit(event),
  shortcuts: () => [...globalShortcut.registered.keys()],
  pressShortcut: ({ accelerator }: { accelerator: string }) => globalShortcut.registered.get(accelerator)?.(),
  /** Another program takes a shortcut, from now on. */
  takeShortcut: ({ accelerator }: { accelerator: string }) => void takenElsewhere.add(accelerator),
  openUrl: ({ url }: { url: string }) => void app.emit('open-url', createEvent({}), url),
  opened: () => opened,
  chooseFolder: ({ path }: { path: string }) => void chosenFolders.push(path),
  told: () => told,
  privileged: () => privileged,
  utilityPids: () => [...running].map(({ pid }) => pid),
  quit: () => void setTimeout(() => app.quit(), 0),
}

interface Invoke {
  id: number
  frame: { url: string; parent: object | null } | null
  channel: string
  args: unknown[]
}

/** What a test can ask, by name: what it gives and what it is answered. */
export type Control = {
  [N in keyof typeof answers]: {
    input: Parameters<(typeof answers)[N]>[0]
    answer: Awaited<ReturnType<(typeof answers)[N]>>
  }
}

process.on('message', (message: { id: number; name: keyof typeof answers; input: never }) => {
  Promise.resolve()
    .then((): unknown => (answers[message.name] as (input: never) => unknown)(message.input))
    .then(
      (value: unknown) => process.send?.({ id: message.id, value }),
      (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
    )
})

// A test that was killed leaves no app behind.
process.once('disconnect', () => process.exit(1))
