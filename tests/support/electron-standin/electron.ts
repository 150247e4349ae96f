// What `electron` is for a main bundle that runs under the stand-in. It has what the desk uses and behaves as electron.d.ts
// says; it is not Electron, and what only Electron can show (real windows, real menus, fuses) it cannot show.
import './control.ts'

export { app } from './app.ts'
export { BrowserWindow } from './browser-window.ts'
export {
  dialog,
  globalShortcut,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  safeStorage,
  screen,
  shell,
  Tray,
} from './desktop.ts'
export { ipcMain } from './ipc-main.ts'
export { protocol, session } from './session.ts'
export { utilityProcess } from './utility-process.ts'
