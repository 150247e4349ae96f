import { app } from 'electron'
import type { AppUpdater } from 'electron-updater'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { ShellLog } from './log.ts'

/** Looks for new versions; does nothing, and loads nothing, while no feed is configured. */
export interface Updates {
  isOn: boolean
  /** Looks now; what is found is downloaded and installed when the desk is quit. */
  check(): void
}

/** electron-builder writes this file into the app when `publish` is configured; nothing else says where updates lie. */
const FEED_FILE = 'app-update.yml'
const FIRST_LOOK_MS = 60_000
const LOOK_EVERY_MS = 6 * 60 * 60_000

/** Off unless this is a packaged app with a feed. The timers do not keep the process alive. */
export function createUpdates(log: ShellLog): Updates {
  const isOn = app.isPackaged && existsSync(path.join(process.resourcesPath, FEED_FILE))
  if (!isOn) return { isOn, check: () => undefined }
  const updater = loadUpdater()
  updater.autoDownload = true
  updater.autoInstallOnAppQuit = true
  updater.logger = null
  updater.on('update-downloaded', ({ version }) => log.info({ version }, 'an update is ready'))
  updater.on('error', (error) => log.warn({ why: error.message }, 'looking for updates failed'))
  // Failures are told by the error event.
  const check = (): void => void updater.checkForUpdates().catch(() => undefined)
  setTimeout(check, FIRST_LOOK_MS).unref()
  setInterval(check, LOOK_EVERY_MS).unref()
  return { isOn, check }
}

/** Loaded only when it is used: it brings a dozen packages that would otherwise be read at every start. */
function loadUpdater(): AppUpdater {
  const load = createRequire(import.meta.url)
  return (load('electron-updater') as { autoUpdater: AppUpdater }).autoUpdater
}
