import { app, type BrowserWindow } from 'electron'
import type { ShellLog } from './log.ts'

/** A page that crashes more often than this within the window of time stays down until the person opens it again. */
const MAX_RELOADS = 3
const WITHIN_MS = 60_000

/** Watches a window: a page that crashed or could not be loaded is loaded again, at most three times a minute. */
export function guardPage(window: BrowserWindow, log: ShellLog): void {
  const contents = window.webContents
  let reloadedAt: number[] = []

  function reload(why: string): void {
    const now = performance.now()
    reloadedAt = reloadedAt.filter((at) => now - at < WITHIN_MS)
    if (reloadedAt.length >= MAX_RELOADS) {
      log.error({ why }, 'a page failed too often and is not loaded again by itself')
      return
    }
    reloadedAt.push(now)
    log.warn({ why }, 'a page is loaded again')
    // Not within the event: the crashed process is still being taken apart.
    setTimeout(() => {
      if (!window.isDestroyed()) contents.reload()
    }, 100)
  }

  contents.on('render-process-gone', (_event, details) => {
    if (details.reason !== 'clean-exit') reload(details.reason)
  })
  contents.on('did-fail-load', (...[, code, description, , isMainFrame]) => {
    // -3 is Chromium's ERR_ABORTED: a navigation that we ourselves refused, or that was overtaken by another.
    if (isMainFrame && code !== -3) reload(`${code} ${description}`)
  })
  window.on('unresponsive', () => log.warn({}, 'a page does not respond'))
}

/** Writes down what else crashed (GPU, utility processes); Chromium starts its own again. */
export function watchProcesses(log: ShellLog): void {
  app.on('child-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return
    const { type, reason, exitCode, name } = details
    log.error({ type, reason, exitCode, name }, 'a process of the desk ended')
  })
}
