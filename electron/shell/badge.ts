import { app, nativeImage, type BrowserWindow } from 'electron'
import path from 'node:path'
import type { Words } from '../services/words/words.ts'

/**
 * Shows how many things wait: a number on the dock (macOS) or the launcher (Linux desktops that have one), a dot on the
 * taskbar button with a name for screen readers (Windows). The dock never bounces.
 */
export function createBadge({
  imageFolder,
  words,
  window,
}: {
  imageFolder: string
  words: Words
  window(): BrowserWindow | undefined
}): { show(count: number): void } {
  let shown: number | undefined
  return {
    show(count) {
      if (process.platform === 'win32') {
        // A window that was made since has no dot yet, so this is said again every time.
        const dot = count > 0 ? nativeImage.createFromPath(path.join(imageFolder, 'badge.png')) : null
        window()?.setOverlayIcon(dot, count > 0 ? `${words('shell.badge')} (${count})` : '')
        return
      }
      if (count === shown) return
      shown = count
      app.setBadgeCount(count)
    },
  }
}
