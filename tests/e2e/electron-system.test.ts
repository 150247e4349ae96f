import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { eventually, goTo, isGone, PATIENCE_MS, ticketCard } from '../support/desk-page.ts'
import { deskSuite, type DeskSuite, type DeskSuiteOptions } from '../support/desk-suite.ts'
import { electronDeskForTest, type StandInPlay, type TestElectronDesk } from '../support/electron-desk.ts'
import { answerElsewhere, openTicket } from '../support/host-side.ts'
import { mainWindow, notificationWith, putAway } from '../support/shell-parts.ts'

const on = (platform: NonNullable<StandInPlay['platform']>): DeskSuiteOptions => ({
  needs: ['standin'],
  shells: ['standin'],
  standIn: { platform, locale: 'en-US' },
})
function appOf(desk: DeskSuite): TestElectronDesk {
  if (desk.app.electron === undefined) throw new Error('This shell is not the app.')
  return desk.app.electron
}
const ticketOn = (desk: DeskSuite, id: string) => ticketCard(desk.page, id).waitFor({ timeout: PATIENCE_MS })

deskSuite('the app on Linux', on('linux'), (desk) => {
  const shortcuts = () => appOf(desk).ask('shortcuts', undefined)
  const become = (wanted: string[]) =>
    eventually(
      `the shortcuts to be ${wanted.join(' ')}`,
      async () => JSON.stringify(await shortcuts()) === JSON.stringify(wanted),
    )
  const choose = async (keys: string) => {
    await goTo(desk.page, '/settings/shortcuts')
    const field = desk.page.getByLabel('Bring the desk to the front')
    await field.fill(keys, { timeout: PATIENCE_MS })
    await field.press('Enter')
  }

  it('comes to the front with a key that works everywhere, and goes away with the same one', async () => {
    const [accelerator = ''] = await shortcuts()
    expect(accelerator).toBe('CommandOrControl+Shift+H')
    await putAway(appOf(desk))
    await appOf(desk).ask('pressShortcut', { accelerator })
    expect(await mainWindow(appOf(desk))).toMatchObject({ isVisible: true, isFocused: true })
    await appOf(desk).ask('pressShortcut', { accelerator })
    expect(await mainWindow(appOf(desk))).toMatchObject({ isVisible: false })
    await appOf(desk).ask('pressShortcut', { accelerator })
  })

  it('takes another key at once, and none at all', async () => {
    await choose('Control+Alt+J')
    await become(['Control+Alt+J'])
    await choose('')
    await become([])
  })

  it.each([
    ['another program has', 'Control+Alt+K'],
    ['is none', 'no key at all'],
  ])('says so when the key is one that %s', async (_why, keys) => {
    await appOf(desk).ask('takeShortcut', { accelerator: 'Control+Alt+K' })
    await choose(keys)
    const { title, index } = await notificationWith(appOf(desk), `(${keys})`)
    expect(title).toBe('The global shortcut does not work')
    expect(await shortcuts()).toEqual([])
    await appOf(desk).clickNotification(index)
    await choose('Control+Alt+J')
    await become(['Control+Alt+J'])
  })

  it('starts with the computer when that is wanted, by a file that desktops read', async () => {
    const file = path.join(desk.host.environment['XDG_CONFIG_HOME'] ?? '', 'autostart/handoff.desktop')
    await goTo(desk.page, '/settings/appearance')
    const wish = desk.page.getByLabel('Start with the computer')
    await wish.click({ timeout: PATIENCE_MS })
    await eventually('the file', () => existsSync(file))
    expect(await readFile(file, 'utf8')).toMatch(
      /^\[Desktop Entry\]\nType=Application\n[^]*\nExec=".+" --hidden\n/,
    )
    await eventually('the choice to be shown', () => wish.isChecked())
    await wish.click()
    await eventually('the file to be gone', () => !existsSync(file))
  })

  it('follows a link to a ticket, and decides nothing by it', async () => {
    const task = await desk.dispatch('Linked', ['question By a link? [yes|no] product', 'hang'])
    const { id } = await openTicket(desk.local, task, 'By a link?')
    await goTo(desk.page, '/hosts')
    await putAway(appOf(desk))
    expect(await appOf(desk).startAgain([`handoff://ticket/local/${encodeURIComponent(id)}`])).toBe(0)
    await ticketOn(desk, id)
    await eventually('the window', async () => (await mainWindow(appOf(desk))).isVisible)
    expect((await desk.local.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
    await answerElsewhere(desk.local, id, { kind: 'options', labels: ['no'] })
  })

  it('opens the settings for a link that configures a store, which it drops', async () => {
    await appOf(desk).startAgain(['handoff://configure-store?url=https://example.com/'])
    await eventually('the settings', () => desk.page.url().endsWith('#/settings/advanced'))
    expect(await desk.page.content()).not.toContain('example.com')
  })

  it('opens at the place of the link that it was started with', async () => {
    const task = '0196f7a2-6d5a-7c31-9d6e-1f2a3b4c5d6e'
    const own = await electronDeskForTest({ args: [`handoff://task/local/${task}`] })
    const page = await own.page()
    await eventually('the task', () => page.url().endsWith(`#/tasks/local/${task}`))
  })
})

deskSuite('the app on macOS', on('darwin'), (desk) => {
  it('asks the system to start it at login, hidden', async () => {
    await goTo(desk.page, '/settings/appearance')
    const wish = desk.page.getByLabel('Start with the computer')
    const isTold = (openAtLogin: boolean) =>
      eventually(`the system to be told ${String(openAtLogin)}`, async () => {
        const { loginItem } = await appOf(desk).ask('told', undefined)
        return JSON.stringify(loginItem) === JSON.stringify({ openAtLogin, args: ['--hidden'] })
      })
    await wish.click({ timeout: PATIENCE_MS })
    await isTold(true)
    await eventually('the choice to be shown', () => wish.isChecked())
    await wish.click()
    await isTold(false)
  })

  it('follows a link that the system hands to it, and refuses one that it does not know', async () => {
    const task = '0196f7a2-6d5a-7c31-9d6e-1f2a3b4c5d6e'
    await putAway(appOf(desk))
    await appOf(desk).ask('openUrl', { url: `handoff://task/local/${task}` })
    await eventually('the task', () => desk.page.url().endsWith(`#/tasks/local/${task}`))
    expect(await mainWindow(appOf(desk))).toMatchObject({ isVisible: true, isFocused: true })
    await appOf(desk).ask('openUrl', { url: 'handoff://ticket/local/x?answer=approve' })
    await notificationWith(appOf(desk), 'A link was not opened')
    expect(desk.page.url()).toMatch(new RegExp(`#/tasks/local/${task}$`))
  })
})

deskSuite('the app on Windows', on('win32'), (desk) => {
  const overlay = async () => (await mainWindow(appOf(desk))).overlay

  it('puts a dot on its button in the taskbar while something waits', async () => {
    expect((await overlay()) ?? '').toBe('')
    const task = await desk.dispatch('Dot', ['question See the dot? [yes|no] product', 'hang'])
    const { id } = await openTicket(desk.local, task, 'See the dot?')
    await eventually('the dot', async () => (await overlay()) === 'Something needs you (1)')
    await answerElsewhere(desk.local, id, { kind: 'options', labels: ['yes'] })
    await eventually('no dot', async () => (await overlay()) === '')
    await isGone(ticketCard(desk.page, id).getByRole('button', { name: 'Send answer' }))
  })

  it('opens what waits beside the icon, or its menu with the other button', async () => {
    await appOf(desk).ask('clickTray', {})
    const small = await appOf(desk).trayPage()
    await small.getByText('Nothing needs you.').waitFor({ timeout: PATIENCE_MS })
    await appOf(desk).ask('clickTray', { button: 'right-click' })
    await appOf(desk).ask('clickTrayMenu', { labels: ['Open Handoff'] })
    expect(await mainWindow(appOf(desk))).toMatchObject({ isVisible: true, isFocused: true })
  })
})
