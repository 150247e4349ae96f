import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import type { TrayEntry } from '../services/attention/types.ts'
import { trayMenu } from './tray-menu.ts'
import { wordsOf } from '../services/words/words.ts'

const words = wordsOf('en')

function build(menu: TrayEntry[]) {
  const done: unknown[] = []
  const items = trayMenu(menu, {
    words,
    on: {
      open: (route) => void done.push(['open', route]),
      act: (what, route) => void done.push(['act', what, route]),
      quit: () => void done.push(['quit']),
    },
  })
  return { items, done }
}

function click(items: MenuItemConstructorOptions[], ...labels: string[]): void {
  const [label, ...rest] = labels
  const item = items.find((candidate) => candidate.label === label)
  if (item === undefined) throw new Error(`No item “${label}”.`)
  if (rest.length > 0) return click(item.submenu as MenuItemConstructorOptions[], ...rest)
  ;(item.click as () => void)()
}

const ticket: TrayEntry = {
  kind: 'ticket',
  host: 'local',
  ticketId: 't:1',
  seen: 'digest',
  label: 'Run  npm test\n&& npm run lint',
  route: '/inbox/local/t%3A1',
  actions: [
    { id: 'approve', label: 'Approve' },
    { id: 'deny', label: 'Deny' },
    { id: 'option', label: 'Use SQLite', value: 'sqlite' },
  ],
}

describe('the menu of the tray', () => {
  it('says so when nothing waits', () => {
    const { items } = build([])
    expect(items[0]).toMatchObject({ label: 'Nothing needs you.', enabled: false })
  })

  it('lets a ticket be opened, approved, denied and answered', () => {
    const { items, done } = build([ticket])
    const label = 'Run npm test &&&& npm run lint'
    click(items, label, 'Open')
    click(items, label, 'Approve')
    click(items, label, 'Deny')
    click(items, label, 'Use SQLite')
    expect(done).toEqual([
      ['open', '/inbox/local/t%3A1'],
      [
        'act',
        { host: 'local', ticketId: 't:1', seen: 'digest', action: { kind: 'approve' } },
        '/inbox/local/t%3A1',
      ],
      [
        'act',
        { host: 'local', ticketId: 't:1', seen: 'digest', action: { kind: 'deny' } },
        '/inbox/local/t%3A1',
      ],
      [
        'act',
        { host: 'local', ticketId: 't:1', seen: 'digest', action: { kind: 'option', label: 'sqlite' } },
        '/inbox/local/t%3A1',
      ],
    ])
  })

  it('offers only the way to look where nothing can be decided from here', () => {
    const { items } = build([{ ...ticket, label: 'rm -rf', actions: [{ id: 'open', label: 'Open' }] }])
    const submenu = items[0]?.submenu as MenuItemConstructorOptions[]
    expect(submenu.map((item) => item.label)).toEqual(['Open'])
  })

  it('cuts what is too long for a menu', () => {
    const { items } = build([{ kind: 'task', label: 'x'.repeat(300), route: '/tasks/local/1' }])
    expect(items[0]?.label).toHaveLength(80)
  })

  it('always ends with the way into the window and out', () => {
    const { items, done } = build([ticket])
    click(items, 'Open Handoff')
    click(items, 'Quit Handoff')
    expect(done).toEqual([['open', undefined], ['quit']])
  })
})
