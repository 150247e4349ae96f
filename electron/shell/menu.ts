import type { MenuItemConstructorOptions } from 'electron'
import type { ShellWords } from './words.ts'

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
  words: ShellWords
  on: MenuActions
}): Items {
  const isMac = platform === 'darwin'
  const settings: MenuItemConstructorOptions = {
    label: words('settings'),
    accelerator: 'CmdOrCtrl+,',
    click: () => on.go('/settings'),
  }
  const quit: MenuItemConstructorOptions = {
    label: words('quit'),
    accelerator: 'CmdOrCtrl+Q',
    click: () => on.quit(),
  }
  const about: Items = [{ label: words('about'), click: () => on.showAbout() }, ...updateItem(words, on)]
  const closing: MenuItemConstructorOptions = { label: words('closeWindow'), role: 'close' }
  return [
    ...(isMac ? [{ label: 'Handoff', submenu: appItems({ about, settings, quit, words }) }] : []),
    {
      label: words('file'),
      submenu: [
        { label: words('newTask'), accelerator: 'CmdOrCtrl+N', click: () => on.command('new_task') },
        { type: 'separator' },
        ...(isMac ? [closing] : [settings, { type: 'separator' } as const, closing, quit]),
      ],
    },
    { label: words('edit'), role: 'editMenu' },
    { label: words('view'), submenu: viewItems(words, on) },
    { label: words('go'), submenu: goItems(isMac, words, on) },
    { label: words('window'), role: 'windowMenu' },
    { label: words('help'), role: 'help', submenu: helpItems(isMac ? [] : about, words, on) },
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
  words: ShellWords
}): Items {
  return [
    ...about,
    { type: 'separator' },
    settings,
    { type: 'separator' },
    { role: 'services' },
    { type: 'separator' },
    { label: words('hide'), role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    quit,
  ]
}

function viewItems(words: ShellWords, on: MenuActions): Items {
  return [
    { label: words('palette'), accelerator: 'CmdOrCtrl+K', click: () => on.command('palette') },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
}

function goItems(isMac: boolean, words: ShellWords, on: MenuActions): Items {
  return [
    {
      label: words('back'),
      accelerator: isMac ? 'Cmd+[' : 'Alt+Left',
      click: () => on.history('back'),
    },
    {
      label: words('forward'),
      accelerator: isMac ? 'Cmd+]' : 'Alt+Right',
      click: () => on.history('forward'),
    },
    { type: 'separator' },
    { label: words('inbox'), accelerator: 'CmdOrCtrl+1', click: () => on.go('/inbox') },
    { label: words('tasks'), accelerator: 'CmdOrCtrl+2', click: () => on.go('/tasks') },
    { label: words('hosts'), accelerator: 'CmdOrCtrl+3', click: () => on.go('/hosts') },
    { type: 'separator' },
    { label: words('wakeHosts'), click: () => on.wakeHosts() },
  ]
}

function helpItems(about: Items, words: ShellWords, on: MenuActions): Items {
  return [
    { label: words('keys'), click: () => on.command('keys') },
    { label: words('openLogs'), click: () => on.openLogs() },
    ...(about.length === 0 ? [] : [{ type: 'separator' } as const, ...about]),
  ]
}

function updateItem(words: ShellWords, on: MenuActions): Items {
  const check = on.checkForUpdates
  return check === undefined ? [] : [{ label: words('checkForUpdates'), click: () => check() }]
}
