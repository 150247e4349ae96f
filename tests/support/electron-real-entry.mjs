// What a real Electron is started with by the tests: the recorders for what a test cannot see from outside, then the real
// bundle. Shipped code has no such hooks.
import electron from 'electron'
import { pathToFileURL } from 'node:url'

const { app, BrowserWindow, globalShortcut, Menu, Notification, powerMonitor, shell, Tray } = electron
const shown = []
const opened = { urls: [], paths: [] }
const trays = new Map()

function record(prototype, name, onCall) {
  const original = prototype[name]
  prototype[name] = function (...args) {
    onCall(this, ...args)
    return original.apply(this, args)
  }
}
const noteOf = (tray) =>
  trays.get(tray) ?? trays.set(tray, { title: '', toolTip: '', menu: undefined }).get(tray)
record(Tray.prototype, 'setTitle', (tray, title) => (noteOf(tray).title = title))
record(Tray.prototype, 'setToolTip', (tray, text) => (noteOf(tray).toolTip = text))
record(Tray.prototype, 'setContextMenu', (tray, menu) => (noteOf(tray).menu = menu))
record(Tray.prototype, 'popUpContextMenu', (tray, menu) => (noteOf(tray).menu = menu))
record(Notification.prototype, 'show', (notification) => shown.push({ notification, state: 'shown' }))
record(Notification.prototype, 'close', (notification) => {
  for (const entry of shown) if (entry.notification === notification) entry.state = 'closed'
})
shell.openExternal = async (url) => void opened.urls.push(url)

const read = (menu) =>
  (menu?.items ?? []).map((item) =>
    item.type === 'separator'
      ? '—'
      : { label: item.label, ...(item.submenu ? { submenu: read(item.submenu) } : {}) },
  )
function click(menu, [label, ...rest]) {
  const item = menu?.items.find((candidate) => candidate.label === label)
  if (!item) throw new Error(`The menu has no “${label}”.`)
  if (rest.length > 0) click(item.submenu, rest)
  else item.click()
}
const theTray = () => [...trays].at(-1) ?? [undefined, { title: '', toolTip: '', menu: undefined }]
const windowOf = (id) => BrowserWindow.getAllWindows().find(({ webContents }) => webContents.id === id)
const at = (index) => shown[index].notification

globalThis.handoffTest = {
  tray: () => ({ ...theTray()[1], menu: read(theTray()[1].menu) }),
  clickTray: ({ button = 'click' }) => theTray()[0].emit(button, {}, theTray()[0].getBounds()),
  clickTrayMenu: ({ labels }) => click(theTray()[1].menu, labels),
  menu: () => read(Menu.getApplicationMenu()),
  clickMenu: ({ labels }) => click(Menu.getApplicationMenu(), labels),
  notifications: () =>
    shown.map(({ notification, state }, index) => ({
      index,
      state,
      title: notification.title,
      body: notification.body,
      actions: notification.actions,
      hasReply: notification.hasReply,
    })),
  clickNotification: ({ index }) => at(index).emit('click', {}),
  actOnNotification: ({ index, action }) => at(index).emit('action', { actionIndex: action }, action),
  replyToNotification: ({ index, text }) => at(index).emit('reply', { reply: text }, text),
  windows: () =>
    BrowserWindow.getAllWindows().map((window) => ({
      id: window.webContents.id,
      url: window.webContents.getURL(),
      isVisible: window.isVisible(),
      isFocused: window.isFocused(),
      isMinimized: window.isMinimized(),
      isCrashed: window.webContents.isCrashed(),
      bounds: window.getBounds(),
    })),
  closeWindow: ({ id }) => windowOf(id).close(),
  blurWindow: ({ id }) => windowOf(id).blur(),
  focusWindow: ({ id }) => windowOf(id).focus(),
  moveWindow: ({ id, ...bounds }) => windowOf(id).setBounds(bounds),
  crashWindow: ({ id }) => windowOf(id).webContents.forcefullyCrashRenderer(),
  power: ({ event }) => powerMonitor.emit(event),
  shortcuts: () => [],
  // Those that the app has forked, not Chromium's own (network, audio).
  utilityPids: () =>
    app
      .getAppMetrics()
      .filter(({ serviceName }) => serviceName === 'node.mojom.NodeService')
      .map(({ pid }) => pid),
  openUrl: ({ url }) => app.emit('open-url', { preventDefault() {} }, url),
  opened: () => opened,
  quit: () => setTimeout(() => app.quit(), 0),
  isShortcutRegistered: ({ accelerator }) => globalShortcut.isRegistered(accelerator),
}

await import(pathToFileURL(process.env.HANDOFF_TEST_MAIN).href)
