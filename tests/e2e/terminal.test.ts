import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { requires } from '../support/requirements.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { dispatchDemo } from '../support/agentd.ts'
import { deskSuite } from '../support/desk-suite.ts'
import { eventually, goTo, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { startRemote, type Remote } from '../support/remote.ts'
import { addHost, isLive } from '../support/second-host.ts'
import type { TmuxPlace } from '../support/tmux.ts'

const sshNeeds = requires('git', 'tmux', 'chromium', 'sshd')

// What the DOM draws can be read by a test; the state line and the keyboard are the same.
const settings = { terminal: { renderer: 'dom' as const } }

deskSuite("the agent's terminal", { settings }, (desk) => {
  const view = () => desk.page.getByRole('region', { name: 'The agent’s terminal' })
  const screen = () => view().locator('.xterm-rows').innerText()
  const shows = (text: string | RegExp) =>
    eventually(`the terminal to show ${String(text)}`, async () => {
      // Browsers draw the spaces of a line as no-break spaces.
      const now = (await screen()).replaceAll('\u00a0', ' ')
      return typeof text === 'string' ? now.includes(text) : text.test(now)
    })

  /** Opens the terminal of a task that goes on, beside the agent's own window a shell to type into. */
  async function openShell(at: string, task: string, tmux: TmuxPlace, session: string): Promise<void> {
    await goTo(desk.page, `/tasks/${at}/${task}/terminal`)
    await reads(view(), 'Read-only until you take the keyboard')
    await shows('Handoff demo executor')
    await tmux.tmux('new-window', '-t', `=${session}:`, 'PS1=ready: exec sh')
    await shows('ready:')
  }
  const clientSize = async (tmux: TmuxPlace) =>
    (await tmux.tmux('list-clients', '-F', '#{client_width}x#{client_height}')).trim()

  async function work(on: HostConnection, title = 'Hang'): Promise<{ id: string; session: string }> {
    const { id } = await dispatchDemo(on, desk.repo.path, 'demo: hang', { title })
    const session = await eventually(
      'the session',
      async () => (await on.call('task.get', { task: id })).tmux?.session,
    )
    return { id, session }
  }

  const paste = (text: string) =>
    desk.page.evaluate((pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, text)

  let first = { id: '', session: '' }

  it('shows what the agent does, and takes no key before the keyboard is taken', async () => {
    const { id, session } = (first = await work(desk.local))
    await openShell('local', id, desk.host.tmux, session)
    await view().locator('.xterm').click()
    await desk.page.keyboard.type('echo too-early\n')
    await view().getByRole('button', { name: 'Take the keyboard' }).click()
    await reads(view(), 'You have the keyboard')
    await desk.page.keyboard.type('echo typed-$((40+2)) 好\n')
    await shows('typed-42 好')
    expect(await screen()).not.toContain('too-early')
  })

  it('stays usable during a flood, which comes to its end', async () => {
    await desk.page.keyboard.type(
      'yes 0123456789012345678901234567890123456789 | head -c 8000000; echo flood-$((40+3))\n',
    )
    await desk.page.getByRole('tab', { name: 'Terminal' }).focus()
    await desk.page.keyboard.press('Control+k')
    await desk.page.getByRole('dialog').getByRole('combobox').waitFor({ timeout: 5_000 })
    await desk.page.keyboard.press('Escape')
    await shows('flood-43')
  })

  it('has the size of its place on the screen', async () => {
    const before = await clientSize(desk.host.tmux)
    await desk.page.setViewportSize({ width: 1_000, height: 620 })
    const after = await eventually('the terminal to be smaller', async () => {
      const size = await clientSize(desk.host.tmux)
      return size === before ? undefined : size
    })
    const [[cols = 0, lines = 0] = [], [wasCols = 0, wasLines = 0] = []] = [after, before].map((size) =>
      size.split('x').map(Number),
    )
    expect([cols < wasCols, lines < wasLines, cols > 20, lines > 5]).toEqual([true, true, true, true])
    await desk.page.setViewportSize({ width: 1_180, height: 760 })
  })

  it('finds words, and gives the keyboard back', async () => {
    await view().getByRole('button', { name: 'Find in the terminal' }).click()
    await view().getByRole('textbox', { name: 'Find' }).fill('flood-43')
    await reads(view(), /\d+ of \d+/)
    await desk.page.keyboard.press('Escape')
    await view().getByRole('button', { name: 'Give it back' }).click()
    await reads(view(), 'Read-only until you take the keyboard')
  })

  it('asks before it pastes several lines', async () => {
    await view().getByRole('button', { name: 'Take the keyboard' }).click()
    await view().locator('.xterm').click()
    await paste('echo one\necho pasted-$((1+1))\n')
    const dialog = desk.page.getByRole('dialog')
    await reads(dialog, 'Paste 2 lines?')
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await shows('pasted-2')
  })

  it('pastes one line at once, without characters that could type on', async () => {
    await paste('echo \x1bsingle-$((1+2))\x03')
    await desk.page.keyboard.press('Enter')
    await shows('single-3')
  })

  describe('in tabs', () => {
    const tabs = () => desk.page.getByRole('tablist', { name: 'Open terminals' })
    const tab = (name: string | RegExp) => tabs().getByRole('tab', { name })
    const clients = async (session: string) =>
      (await desk.host.tmux.tmux('list-clients', '-t', `=${session}`, '-F', '#{client_pid}')).trim()
    let second = { id: '', session: '' }

    it('keeps its lines and its connection while another is shown, and tells that something came', async () => {
      second = await work(desk.local, 'Second thing')
      const before = await clients(first.session)
      await desk.page.getByRole('button', { name: 'Open another terminal' }).click()
      await desk.page.getByRole('menuitem', { name: 'Second thing' }).click()
      await shows('Handoff demo executor')
      await reads(view(), 'Read-only until you take the keyboard')
      await tab('Second thing').and(desk.page.locator('[aria-selected="true"]')).waitFor()
      const news = 'echo came-$((40+4))'
      await desk.host.tmux.tmux('send-keys', '-t', `=${first.session}:`, news, 'Enter')
      await tab(/Hang.*new output/).waitFor({ timeout: PATIENCE_MS })
      await desk.page.keyboard.press('Control+Shift+PageUp')
      await shows('came-44')
      await reads(view(), 'You have the keyboard')
      await shows('pasted-2')
      expect(await tab(/Hang.*new output/).count()).toBe(0)
      expect(await clients(first.session)).toBe(before)
    })

    it('is reached by keys also while the keyboard is taken, and goes on where it was', async () => {
      await view().locator('.xterm').click()
      // Backwards, since this task has a second window, which comes after it.
      await desk.page.keyboard.press('Control+Shift+PageUp')
      await reads(view(), 'Read-only until you take the keyboard')
      await desk.page.keyboard.press('Control+Shift+PageUp')
      await reads(view(), 'You have the keyboard')
      await desk.page.keyboard.type('echo on-$((40+5))\n')
      await shows('on-45')
    })

    it('is there again after the page was loaded anew, and lets go when it is closed', async () => {
      await desk.page.reload()
      await shows('on-45')
      await tab('Second thing').click()
      await shows('Handoff demo executor')
      await tab('Second thing').press('ArrowLeft')
      await tab('Hang').and(desk.page.locator(':focus')).waitFor()
      await tab('Hang').press('ArrowRight')
      await tab('Second thing').press('Delete')
      await shows('on-45')
      expect(await tabs().getByRole('tab').count()).toBe(1)
      await eventually('the session to be let go', async () => (await clients(second.session)) === '')
    })
  })

  describe.skipIf(sshNeeds.skip)(sshNeeds.title('over ssh'), () => {
    let remote: Remote
    beforeAll(async () => {
      remote = await startRemote()
      await addHost(desk.page, {
        where: remote.sshd.host,
        name: 'box',
        sshConfig: remote.sshd.configFile,
      })
      await isLive(desk.page, 'box')
    })
    afterAll(async () => {
      await remote?.dispose()
    })

    it('is the same, and attaches again by itself after the line was cut', async () => {
      const plan = '# Far away\ndemo: fast\ndemo: hang'
      const args = ['--json', 'dispatch', '--executor', 'demo', '--prompt', plan]
      const { stdout, stderr } = await remote.handoffThere(args, { cwd: desk.repo.path })
      expect(stdout, String(stderr)).not.toBe('')
      const { task } = jsonShapes.dispatch.parse(JSON.parse(String(stdout)))
      const session = await eventually(
        'the session',
        async () => (await remote.tmux.tmux('list-sessions', '-F', '#{session_name}')).trim().split('\n')[0],
      )
      await openShell('box', task.id, remote.tmux, session)
      await view().getByRole('button', { name: 'Take the keyboard' }).click()
      await desk.page.keyboard.type('echo far-$((40+2))\n')
      await shows('far-42')
      await remote.sshd.dropConnections()
      await view().locator('[data-kind="lost"]').waitFor({ timeout: PATIENCE_MS })
      await view().locator('[data-kind="live"]').waitFor({ timeout: 60_000 })
      await shows('far-42')
      await desk.page.keyboard.type('echo again-$((40+2))\n')
      await shows('again-42')
    })
  })
})
