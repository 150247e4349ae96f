import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Bridge } from '../../shared/ipc.ts'
import { dispatchDemo, startHost, type TestHost } from '../support/agentd.ts'
import { electronDeskForTest, startElectronDesk, type TestElectronDesk } from '../support/electron-desk.ts'
import { openTicket, settledTicket } from '../support/host-side.ts'
import { createRepository } from '../support/repository.ts'
import { eventually } from '../support/desk-page.ts'
import { requires } from '../support/requirements.ts'
import {
  callBridge,
  mainWindow,
  notificationWith,
  trayMenuEntry,
  trayWindow,
  type TrayMenuEntry,
} from '../support/shell-parts.ts'

const needs = requires('git', 'tmux', 'chromium')
/** What only the stand-in can play; a real Electron has no such switch. */
const isReal = process.env['ELECTRON'] === 'real'

declare global {
  // What the specs leave in a page.
  interface Window {
    heard?: [string, unknown][]
    stopHearing?: () => void
  }
}

let host: TestHost
let desk: TestElectronDesk
let page: Page
beforeAll(async () => {
  if (needs.skip) return
  host = await startHost()
  desk = await startElectronDesk({ host })
  page = await desk.page()
})
afterAll(async () => {
  await desk?.dispose()
  await host?.dispose()
})

/** A page that shows the desk again, as after a start. */
async function freshWindow(): Promise<void> {
  await desk.ask('clickTrayMenu', { labels: ['Open Handoff'] })
  await page.evaluate(() => (location.hash = '/inbox'))
}

describe.skipIf(needs.skip)(needs.title('a page of the Electron shell'), () => {
  it('is the real window with nothing of Node or Electron in it but the bridge', async () => {
    await page.getByText('Inbox').first().waitFor()
    expect(
      await page.evaluate(() => ({
        bridge: Object.keys((window as unknown as { handoff: object }).handoff).sort(),
        frozen: Object.isFrozen((window as unknown as { handoff: object }).handoff),
        leaks: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', '__standinSend'].filter(
          (name) => name in window,
        ),
      })),
    ).toEqual({ bridge: ['call', 'subscribe'], frozen: true, leaks: [] })
  })

  it('runs no script that stands in a page', async () => {
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.heard = [["inline", 1]]'
      document.head.append(script)
      return window.heard !== undefined
    })
    expect(ran).toBe(false)
  })

  it('gets an answer to every call, a refusal to what is not one', async () => {
    expect(await callBridge(page, 'desk.state')).toMatchObject({ ok: true, value: { shell: 'electron' } })
    expect(await callBridge(page, 'toString')).toMatchObject({ ok: false, error: { code: 'unknown_call' } })
    expect(await callBridge(page, 'task.get', { host: '../..' })).toMatchObject({ ok: false })
    expect(await callBridge(page, 'desk.state', { text: 'x'.repeat(4_200_000) })).toMatchObject({
      ok: false,
      error: { code: 'too_large' },
    })
  })

  it('hears events until it stops listening', async () => {
    await page.evaluate(() => {
      window.heard = []
      window.stopHearing = (window as unknown as { handoff: Bridge }).handoff.subscribe((name, payload) =>
        window.heard?.push([name, payload]),
      )
    })
    const heard = (name: string) =>
      page.evaluate((wanted) => window.heard?.filter(([heardName]) => heardName === wanted).length ?? 0, name)
    await callBridge(page, 'settings.change', { patch: { density: 'compact' } })
    await eventually('the change to be heard', () => heard('settings.changed'))
    await page.evaluate(() => window.stopHearing?.())
    const before = await heard('settings.changed')
    await callBridge(page, 'settings.change', { patch: { density: 'comfortable' } })
    await callBridge(page, 'desk.state')
    expect(await heard('settings.changed')).toBe(before)
  })

  it.skipIf(isReal).each([
    ['a frame that has gone', null],
    ['a page of somebody else', { url: 'https://example.com/', parent: null }],
    ['a page with a similar address', { url: 'handoff-app://desk.example.com/', parent: null }],
    ['a frame inside our page', { url: 'handoff-app://desk/', parent: { url: 'handoff-app://desk/' } }],
  ])('is not spoken for by %s', async (_title, frame) => {
    const { id } = await mainWindow(desk)
    const args = [{ name: 'desk.state', input: {} }]
    expect(await desk.ask('invokeFrom', { id, frame, channel: 'handoff:call', args })).toMatchObject({
      v: { ok: false, error: { code: 'forbidden' } },
    })
    const own = { url: 'handoff-app://desk/', parent: null }
    expect(await desk.ask('invokeFrom', { id, frame: own, channel: 'handoff:call', args })).toMatchObject({
      v: { ok: true },
    })
  })

  it('can neither leave nor open another, and gives web links to the browser', async () => {
    const address = page.url()
    await page.evaluate(() => {
      location.href = 'https://example.com/left'
    })
    await page.evaluate(() => void window.open('https://example.com/popup'))
    await page.evaluate(() => {
      const link = document.createElement('a')
      Object.assign(link, { href: 'https://example.com/link', target: '_blank' })
      document.body.append(link)
      link.click()
      link.remove()
    })
    await page.evaluate(() => void window.open('file:///etc/passwd'))
    await page.evaluate(() => {
      location.href = 'file:///etc/passwd'
    })
    await eventually(
      'the links to be given away',
      async () => (await desk.ask('opened', undefined)).urls.length === 3,
    )
    expect((await desk.ask('opened', undefined)).urls.sort()).toEqual([
      'https://example.com/left',
      'https://example.com/link',
      'https://example.com/popup',
    ])
    expect(page.url()).toBe(address)
    expect(await desk.windows()).toHaveLength(1)
    expect(await callBridge(page, 'desk.state')).toMatchObject({ ok: true })
  })

  it.skipIf(isReal)('may put text into the clipboard and nothing else', async () => {
    const { id } = await mainWindow(desk)
    const ask = (permission: string, origin = 'handoff-app://desk/') =>
      desk.ask('permission', { id, permission, origin })
    expect(await ask('clipboard-sanitized-write')).toEqual({ request: true, check: true })
    for (const permission of [
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'hid',
    ])
      expect(await ask(permission)).toEqual({ request: false, check: false })
    expect((await ask('clipboard-sanitized-write', 'https://example.com/')).check).toBe(false)
  })
})

describe.skipIf(needs.skip)(needs.title('the windows of the Electron shell'), () => {
  it('stay when they are closed, and the person is told so once', async () => {
    await freshWindow()
    const { id } = await mainWindow(desk)
    const told = async () =>
      (await desk.notifications()).filter(({ title }) => title === 'Handoff is still here').length
    const before = await told()
    await desk.ask('closeWindow', { id })
    expect(await mainWindow(desk)).toMatchObject({ id, isVisible: false })
    expect(await told()).toBe(before + 1)
    await desk.ask('clickTrayMenu', { labels: ['Open Handoff'] })
    expect(await mainWindow(desk)).toMatchObject({ id, isVisible: true, isFocused: true })
    await desk.ask('closeWindow', { id })
    expect(await told()).toBe(before + 1)
  })

  it('come to the front when the app is started again, at the place a link names', async () => {
    await freshWindow()
    await desk.ask('closeWindow', { id: (await mainWindow(desk)).id })
    expect(await desk.startAgain([])).toBe(0)
    await eventually('the window to be shown', async () => (await mainWindow(desk)).isVisible)
    const task = '0196f7a2-6d5a-7c31-9d6e-1f2a3b4c5d6e'
    expect(await desk.startAgain([`handoff://task/local/${task}`])).toBe(0)
    await eventually('the task to be shown', () => page.url().endsWith(`#/tasks/local/${task}`))
  })

  it('do not follow a link that could be anything', async () => {
    await freshWindow()
    await desk.startAgain(['handoff://approve/local/everything'])
    await eventually('the refusal to be told', async () =>
      (await desk.notifications()).some(({ title }) => title === 'A link was not opened'),
    )
    expect(page.url()).toMatch(/#\/inbox$/)
  })

  it('open again where they were', async () => {
    const own = await electronDeskForTest()
    await own.page()
    const { id } = await mainWindow(own)
    await own.ask('moveWindow', { id, x: 40, y: 60, width: 1000, height: 700 } as { id: number })
    await own.end()
    await own.start()
    await own.page()
    expect((await mainWindow(own)).bounds).toEqual({ x: 40, y: 60, width: 1000, height: 700 })
  })

  it('are put down rather than hidden where the desktop has no tray', async () => {
    const own = await electronDeskForTest({ hasTray: false })
    await own.page()
    await eventually('the window to be drawn', async () => (await mainWindow(own)).isVisible)
    const { id } = await mainWindow(own)
    await own.ask('closeWindow', { id })
    expect(await mainWindow(own)).toMatchObject({ isVisible: true, isMinimized: true })
  })

  it('stay closed when the system starts the app at login', async () => {
    const own = await electronDeskForTest({ args: ['--hidden'] })
    await eventually('the tray', () => own.tray())
    expect(await own.windows()).toEqual([])
    await own.ask('clickTrayMenu', { labels: ['Open Handoff'] })
    await own.page()
  })
})

describe.skipIf(needs.skip)(needs.title('what waits, outside of the window'), () => {
  const labels = ({ submenu }: TrayMenuEntry) =>
    submenu.map((item) => (typeof item === 'string' ? item : item.label))

  it('is approved from the tray menu and opened from its notification', async () => {
    await freshWindow()
    await desk.ask('blurWindow', { id: (await mainWindow(desk)).id })
    expect(await callBridge(page, 'demo.start')).toMatchObject({ ok: true })
    const asked = await notificationWith(desk, 'node --test')
    await desk.clickNotification(asked.index)
    await eventually('the ticket in the window', () => /#\/inbox\/local\//.test(page.url()))
    await eventually('the window in front', async () => {
      const { isVisible, isFocused } = await mainWindow(desk)
      return isVisible && isFocused
    })

    await desk.ask('blurWindow', { id: (await mainWindow(desk)).id })
    // A real tray does not say what it shows, nor a desktop without a dock its number.
    if (!isReal) {
      await eventually('the icon', async () => (await desk.tray()).image === 'waiting.png')
      await eventually('the number', async () => (await desk.ask('told', undefined)).badge === 1)
    }
    const entry = await trayMenuEntry(desk, 'node --test')
    await desk.ask('clickTrayMenu', { labels: [entry.label, 'Approve once'] })
    const question = await notificationWith(desk, 'without a name')
    await eventually(
      'the first notification to be gone',
      async () => (await desk.notifications())[asked.index]?.state !== 'shown',
    )
    await desk.ask('actOnNotification', { index: question.index, action: 0 })

    // What is dangerous cannot be approved from here.
    const dangerous = await trayMenuEntry(desk, 'rm -rf')
    expect(labels(dangerous)).not.toContain('Approve once')
    await desk.ask('clickTrayMenu', { labels: [dangerous.label, 'Open'] })
    await eventually('the dangerous ticket in the window', () => /#\/inbox\/local\//.test(page.url()))
  })

  it('is denied and answered from the tray menu', async () => {
    const local = await host.connect()
    const repo = await createRepository()
    onTestFinished(async () => {
      local.close()
      await repo.dispose()
    })
    const plan =
      'demo: ask-permission rm -rf ../cache\ndemo: question Tabs? [tabs|spaces] product\ndemo: hang'
    const { id: task } = await dispatchDemo(local, repo.path, plan)
    const asked = await openTicket(local, task, '../cache')
    const { label } = await trayMenuEntry(desk, '../cache')
    await desk.ask('clickTrayMenu', { labels: [label, 'Deny'] })
    expect(await settledTicket(local, asked.id)).toMatchObject({ answer: { kind: 'deny', stop: false } })
    const question = await openTicket(local, task, 'Tabs?')
    const entry = await trayMenuEntry(desk, 'Tabs?')
    expect(labels(entry)).toEqual(['Open', '—', 'tabs', 'spaces'])
    await desk.ask('clickTrayMenu', { labels: [entry.label, 'spaces'] })
    expect(await settledTicket(local, question.id)).toMatchObject({
      answer: { kind: 'options', labels: ['spaces'] },
    })
  })
})

describe.skipIf(needs.skip)(needs.title('when something of the Electron shell fails'), () => {
  const logged = async (sentence: string) =>
    (await readFile(path.join(host.home, 'logs/desk.log'), 'utf8')).includes(sentence)

  it('looks for its hosts again after sleep', async () => {
    await desk.ask('power', { event: 'resume' })
    await eventually('the hosts to be looked for', () => logged('the hosts are looked for again'))
    expect(await callBridge(page, 'desk.state')).toMatchObject({
      ok: true,
      value: { hosts: [{ name: 'local' }] },
    })
  })

  it('shows a page that crashed again, while the tray goes on', async () => {
    const { id } = await mainWindow(desk)
    await desk.ask('crashWindow', { id })
    await eventually('the crash to be noticed', () => logged('a page is loaded again'))
    expect((await desk.tray()).isGone).toBe(false)
    await eventually('the page to be back', async () => !(await mainWindow(desk)).isCrashed)
    await eventually('the page to call again', async () => {
      page = await desk.page()
      return (await callBridge(page, 'desk.state')).ok
    })
    await page.getByText('Inbox').first().waitFor()
  })

  it('survives its pty host, and the terminal comes back', async () => {
    const state = (await callBridge(page, 'task.window', { limit: 1 })) as {
      value: { rows: { taskId: string }[] }
    }
    const taskId = state.value.rows[0]?.taskId
    await page.evaluate(() => {
      window.heard = []
      ;(window as unknown as { handoff: Bridge }).handoff.subscribe((name, payload) =>
        window.heard?.push([name, payload]),
      )
    })
    const opened = await callBridge(page, 'terminal.open', { host: 'local', taskId, cols: 80, rows: 24 })
    expect(opened).toMatchObject({ ok: true })
    const lives = () =>
      page.evaluate(
        () =>
          window.heard?.filter(
            ([name, payload]) =>
              name === 'terminal.state' && (payload as { state: { kind: string } }).state.kind === 'live',
          ).length ?? 0,
      )
    await eventually('the terminal to be live', lives)
    const before = await lives()
    const [pid] = await desk.ask('utilityPids', undefined)
    process.kill(pid ?? 0, 'SIGKILL')
    await eventually('the terminal to be live again', async () => (await lives()) > before)
    expect(await desk.ask('utilityPids', undefined)).not.toContain(pid)
    expect((await desk.tray()).isGone).toBe(false)
  })
})

describe.skipIf(needs.skip || isReal)(needs.title('the Electron shell elsewhere'), () => {
  it('keeps secrets encrypted by the system, and in private files where there is no key store', async () => {
    const folder = path.join(host.home, 'desk/secrets')
    const [sealed] = await readdir(folder)
    expect(JSON.parse(await readFile(path.join(folder, sealed ?? ''), 'utf8'))).toMatchObject({
      sealed: 'system',
    })
    const own = await electronDeskForTest({ standIn: { hasKeyStore: false } })
    await own.page()
    const plain = path.join(own.host.home, 'desk/secrets')
    const [open] = await eventually('a secret to be kept', () => nonEmpty(plain))
    expect(JSON.parse(await readFile(path.join(plain, open ?? ''), 'utf8'))).toMatchObject({ sealed: 'no' })
    expect(JSON.stringify((await own.ask('told', undefined)).about)).toContain('no key store was found')
  })

  it('opens what waits beside the icon on macOS, and hides it when something else is used', async () => {
    const own = await electronDeskForTest({ standIn: { platform: 'darwin', locale: 'zh-Hans-CN' } })
    await own.page()
    // The large window takes the keyboard when it is first shown, which would put the small one away.
    await eventually('the large window in front', async () => {
      const { isVisible, isFocused } = await mainWindow(own)
      return isVisible && isFocused
    })
    expect(await own.tray()).toMatchObject({ image: 'quietTemplate.png', isTemplate: true })
    await own.ask('clickTray', {})
    const small = await own.trayPage()
    await small.locator('body').waitFor()
    const window = await eventually('the small window to be seen', async () => {
      const made = await trayWindow(own)
      return made?.isVisible === true ? made : undefined
    })
    expect(window).toMatchObject({
      frame: false,
      bounds: { x: 722, y: 31, width: 380, height: 520 },
    })
    await own.ask('focusWindow', { id: (await mainWindow(own)).id })
    await eventually('the small window to hide', async () => (await trayWindow(own))?.isVisible === false)
    await own.ask('clickTray', { button: 'right-click' })
    await own.ask('clickTrayMenu', { labels: ['打开 Handoff'] })
    const menu = (await own.ask('menu', undefined)) as { label: string }[]
    expect(menu.map(({ label }) => label)).toEqual([
      'Handoff',
      '文件',
      '编辑',
      '显示',
      '前往',
      '窗口',
      '帮助',
    ])
  })

  it('ends when it is quit, and its host goes on', async () => {
    const own = await electronDeskForTest()
    await own.page()
    const gone = own.gone()
    await own.ask('clickTrayMenu', { labels: ['Quit Handoff'] }).catch(() => undefined)
    expect(await gone).toBe(0)
    const connection = await own.host.connect()
    expect(await connection.call('host.info', {})).toMatchObject({ version: expect.any(String) })
    connection.close()
  })
})

/** The names of a folder's files, once there are any. */
async function nonEmpty(folder: string): Promise<string[] | undefined> {
  const names = await readdir(folder)
  return names.length > 0 ? names : undefined
}
