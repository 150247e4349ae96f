import type { MenuItemConstructorOptions } from 'electron'
import type { Attention, TrayEntry } from '../services/attention/types.ts'
import type { Desk } from '../services/desk/types.ts'
import type { Words } from '../services/words/words.ts'

/** What a person can do in the tray's menu. */
export interface TrayActions {
  /** Opens the window; with a route it goes there. */
  open(route?: string): void
  act(what: Parameters<Desk['act']>[0], route: string): void
  quit(): void
}

/** The native menu of the tray: what waits with its buttons in a submenu, then the way into the window and out. */
export function trayMenu(
  menu: Attention['menu'],
  { words, on }: { words: Words; on: TrayActions },
): MenuItemConstructorOptions[] {
  const entries = menu.map((entry) => itemFor(entry, words, on))
  const nothing: MenuItemConstructorOptions = { label: words('glance.nothing'), enabled: false }
  return [
    ...(entries.length === 0 ? [nothing] : entries),
    { type: 'separator' },
    { label: words('menu.openHandoff'), click: () => on.open() },
    { label: words('menu.newTask'), click: () => on.open('/tasks') },
    { type: 'separator' },
    { label: words('menu.quit'), click: () => on.quit() },
  ]
}

function itemFor(entry: TrayEntry, words: Words, on: TrayActions): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' }
    case 'heading':
      return { label: oneLine(entry.label), enabled: false }
    case 'task':
      return { label: oneLine(entry.label), click: () => on.open(entry.route) }
    case 'ticket':
      return { label: oneLine(entry.label), submenu: ticketItems(entry, words, on) }
  }
}

function ticketItems(
  entry: Extract<TrayEntry, { kind: 'ticket' }>,
  words: Words,
  on: TrayActions,
): MenuItemConstructorOptions[] {
  const { host, ticketId, seen, route } = entry
  const items = entry.actions
    .filter(({ id }) => id !== 'open')
    .map(({ id, label, value }): MenuItemConstructorOptions => {
      const action =
        id === 'option'
          ? ({ kind: 'option', label: value ?? label } as const)
          : ({ kind: id === 'approve' ? 'approve' : 'deny' } as const)
      return { label: oneLine(label), click: () => on.act({ host, ticketId, seen, action }, route) }
    })
  // The way to look stands first: nothing is approved by a hasty second click on the same spot.
  const look: MenuItemConstructorOptions = { label: words('decide.open'), click: () => on.open(route) }
  return items.length === 0 ? [look] : [look, { type: 'separator' }, ...items]
}

/** A label as a menu can show it: one line, a sensible width, and `&` not read as a mark for a key. */
function oneLine(label: string): string {
  const flat = label.replace(/\s+/g, ' ').trim()
  return (flat.length > 80 ? `${flat.slice(0, 79)}…` : flat).replaceAll('&', '&&')
}
