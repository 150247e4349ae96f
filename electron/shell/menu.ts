import type { MenuItemConstructorOptions } from 'electron'
import type { Words } from '../services/words/words.ts'

/** What the page does when it is told to, because only it can. */
export type PageCommand = 'palette' | 'keys' | 'new_task'

/** What the menu can do. */
export interface MenuActions {
  go(route: string): void
  command(command: PageCommand): void
  history(direction: 'back' | 'forward'): void
  wakeHosts(): void
  openLogs(): void
  showAbout(): void
  /** Undefined while no feed for updates is configured. */
  checkForUpdates: (() => void) | undefined
  quit(): void
}

type Items = MenuItemConstructorOptions[]

/** The menu of the application with every command of the desk, as each platform expects it. */
export function applicationMenu({
  platform,
  words,
  on,
}: {
  platform: NodeJS.Platform
  words: Words
  on: MenuActions
}): Items {
  const isMac = platform === 'darwin'
  const settings: MenuItemConstructorOptions = {
    label: `${words('sections.settings')}…`,
    accelerator: 'CmdOrCtrl+,',
    click: () => on.go('/settings'),
  }
  const quit: MenuItemConstructorOptions = {
    label: words('menu.quit'),
    accelerator: 'CmdOrCtrl+Q',
    click: () => on.quit(),
  }
  const about: Items = [{ label: words('menu.about'), click: () => on.showAbout() }, ...updateItem(words, on)]
  const closing: MenuItemConstructorOptions = { label: words('menu.closeWindow'), role: 'close' }
  return [
    ...(isMac ? [{ label: 'Handoff', submenu: appItems({ about, settings, quit, words }) }] : []),
    {
      label: words('menu.file'),
      submenu: [
        { label: words('menu.newTask'), accelerator: 'CmdOrCtrl+N', click: () => on.command('new_task') },
        { type: 'separator' },
        ...(isMac ? [closing] : [settings, { type: 'separator' } as const, closing, quit]),
      ],
    },
    { label: words('menu.edit'), role: 'editMenu' },
    { label: words('menu.view'), submenu: viewItems(words, on) },
    { label: words('menu.go'), submenu: goItems(isMac, words, on) },
    { label: words('menu.window'), role: 'windowMenu' },
    { label: words('menu.help'), role: 'help', submenu: helpItems(isMac ? [] : about, words, on) },
  ]
}

function appItems({
  about,
  settings,
  quit,
  words,
}: {
  about: Items
  settings: MenuItemConstructorOptions
  quit: MenuItemConstructorOptions
  words: Words
}): Items {
  return [
    ...about,
    { type: 'separator' },
    settings,
    { type: 'separator' },
    { role: 'services' },
    { type: 'separator' },
    { label: words('menu.hide'), role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    quit,
  ]
}

function viewItems(words: Words, on: MenuActions): Items {
  return [
    { label: words('menu.palette'), accelerator: 'CmdOrCtrl+K', click: () => on.command('palette') },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
}

function goItems(isMac: boolean, words: Words, on: MenuActions): Items {
  return [
    {
      label: words('menu.back'),
      accelerator: isMac ? 'Cmd+[' : 'Alt+Left',
      click: () => on.history('back'),
    },
    {
      label: words('menu.forward'),
      accelerator: isMac ? 'Cmd+]' : 'Alt+Right',
      click: () => on.history('forward'),
    },
    { type: 'separator' },
    { label: words('sections.inbox'), accelerator: 'CmdOrCtrl+1', click: () => on.go('/inbox') },
    { label: words('sections.tasks'), accelerator: 'CmdOrCtrl+2', click: () => on.go('/tasks') },
    { label: words('sections.hosts'), accelerator: 'CmdOrCtrl+3', click: () => on.go('/hosts') },
    { type: 'separator' },
    { label: words('menu.wakeHosts'), click: () => on.wakeHosts() },
  ]
}

function helpItems(about: Items, words: Words, on: MenuActions): Items {
  return [
    { label: words('menu.keys'), click: () => on.command('keys') },
    { label: words('menu.openLogs'), click: () => on.openLogs() },
    ...(about.length === 0 ? [] : [{ type: 'separator' } as const, ...about]),
  ]
}

function updateItem(words: Words, on: MenuActions): Items {
  const check = on.checkForUpdates
  return check === undefined ? [] : [{ label: words('menu.checkForUpdates'), click: () => check() }]
}
