import { Menu, nativeImage, Tray, type NativeImage, type Rectangle } from 'electron'
import path from 'node:path'
import type { Attention, TrayMood } from '../services/attention/types.ts'
import { trayMenu, type TrayActions } from './tray-menu.ts'
import type { Words } from '../services/words/words.ts'

/** The icon in the menu bar or beside the clock. */
export interface DeskTray {
  update(attention: Attention): void
  /** After a change of language. */
  redraw(): void
  dispose(): void
}

/**
 * Needs of the tray. `popover` opens the small window and answers false where there is no place for it; then the native menu
 * comes instead. On Linux it is always the native menu: the desktop draws it, and does not say where the icon is.
 */
export interface TrayNeeds {
  imageFolder: string
  words: Words
  on: TrayActions
  popover(icon: Rectangle): boolean
}

/** Puts the icon there. A click opens the popover, the other button the menu. */
export function createDeskTray(needs: TrayNeeds): DeskTray {
  const images = loadImages(needs.imageFolder)
  const tray = new Tray(images.quiet)
  const hasPopover = process.platform !== 'linux'
  let menu = Menu.buildFromTemplate(trayMenu([], needs))
  let shown: string | undefined
  let last: Attention | undefined

  function useMenu(attention: Attention): void {
    // A menu that is open must not be taken away for one that says the same.
    const key = JSON.stringify([attention.menu, needs.words('menu.quit')])
    if (key === shown) return
    shown = key
    menu = Menu.buildFromTemplate(trayMenu(attention.menu, needs))
    if (!hasPopover) tray.setContextMenu(menu)
  }

  if (hasPopover) {
    tray.on('click', (_event, bounds) => {
      if (!needs.popover(bounds)) tray.popUpContextMenu(menu)
    })
    tray.on('right-click', () => tray.popUpContextMenu(menu))
  } else {
    tray.setContextMenu(menu)
    tray.on('click', () => needs.on.open())
  }

  function update(attention: Attention): void {
    last = attention
    tray.setImage(images[attention.mood])
    tray.setToolTip(attention.tooltip)
    if (process.platform === 'darwin') tray.setTitle(attention.trayTitle, { fontType: 'monospacedDigit' })
    useMenu(attention)
  }

  return {
    update,
    redraw() {
      if (last !== undefined) update(last)
    },
    dispose: () => tray.destroy(),
  }
}

/** macOS takes black template images and colours them itself; elsewhere the images bring their colour, in three sizes. */
function loadImages(folder: string): Record<TrayMood, NativeImage> {
  const load = (mood: TrayMood): NativeImage => {
    if (process.platform !== 'darwin') return nativeImage.createFromPath(path.join(folder, `${mood}.png`))
    const image = nativeImage.createFromPath(path.join(folder, `${mood}Template.png`))
    image.setTemplateImage(true)
    return image
  }
  return { quiet: load('quiet'), waiting: load('waiting'), offline: load('offline') }
}
