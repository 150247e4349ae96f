import { realpath } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { SHELL_SERVER } from '../../shared/node/hosts/attach-argv.ts'
import { dispatchDemo, requestId } from '../support/agentd.ts'
import { eventually, goTo, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { deskSuite, type DeskSuite } from '../support/desk-suite.ts'
import { startRemote, type Remote } from '../support/remote.ts'
import { requires } from '../support/requirements.ts'
import { addHost, isLive } from '../support/second-host.ts'
import type { TmuxPlace } from '../support/tmux.ts'

const sshNeeds = requires('git', 'tmux', 'chromium', 'sshd')
// What the DOM draws can be read by a test.
const settings = { terminal: { renderer: 'dom' as const } }

/** A terminal's parts on the screen. */
function parts(desk: DeskSuite) {
  const view = (name: string | RegExp) => desk.page.getByRole('region', { name })
  const windows = () => desk.page.getByRole('tablist', { name: 'Windows of this task' })
  return {
    view,
    windows,
    agent: () => view('The agent’s terminal'),
    shell: (number: number) => view(`Shell ${number} in the task’s worktree`),
    window: (name: string | RegExp) => windows().getByRole('tab', { name }),
    newShell: () => desk.page.getByRole('button', { name: /^New shell/ }),
    shows: (region: ReturnType<typeof view>, text: string | RegExp) =>
      eventually(`the terminal to show ${String(text)}`, async () => {
        // Browsers draw the spaces of a line as no-break spaces.
        const now = (await region.locator('.xterm-rows').innerText()).replaceAll('\u00a0', ' ')
        return typeof text === 'string' ? now.includes(text) : text.test(now)
      }),
  }
}

const sessions = async (tmux: TmuxPlace, ...server: string[]) =>
  (await tmux.tmux(...server, 'list-sessions', '-F', '#{session_name}').catch(() => '')).trim()
const shellSessions = (tmux: TmuxPlace) => sessions(tmux, '-L', SHELL_SERVER)

deskSuite("the windows of a task's terminal", { settings }, (desk) => {
  const { view, agent, shell, window, windows, newShell, shows } = parts(desk)
  const tmux = () => desk.host.tmux
  let id = ''
  let session = ''
  const currentOf = async () =>
    (await tmux().tmux('display-message', '-p', '-t', `=${session}:`, '#{window_name}')).trim()

  it('have a tab each as soon as there are several, and one does not switch another', async () => {
    id = (await dispatchDemo(desk.local, desk.repo.path, 'demo: hang', { title: 'Hang' })).id
    session = await eventually(
      'the session',
      async () => (await desk.local.call('task.get', { task: id })).tmux?.session,
    )
    await goTo(desk.page, `/tasks/local/${id}/terminal`)
    await shows(agent(), 'Handoff demo executor')
    expect(await windows().count()).toBe(0)
    await tmux().tmux('new-window', '-d', '-n', 'notes', '-t', `=${session}:`, 'echo of notes; exec cat')
    await window('notes').waitFor({ timeout: PATIENCE_MS })
    await window('notes').click()
    await shows(view('notes, a window of this task'), 'of notes')
    await reads(view('notes, a window of this task'), 'Read-only until you take the keyboard')
    expect(await currentOf()).not.toBe('notes')
    await window('Agent').click()
    await shows(agent(), 'Handoff demo executor')
    await desk.page.keyboard.press('Control+Shift+PageDown')
    await window('notes').and(desk.page.locator('[aria-selected="true"]')).waitFor()
    const [base, ...apart] = (await sessions(tmux())).split('\n').sort().reverse()
    expect([base, apart.length]).toEqual([session, 1])
    expect(apart[0]).toMatch(/^desk-[0-9a-f]{12}$/)
  })

  it('are gone from the tabs when they are closed, and leave nothing in tmux', async () => {
    await tmux().tmux('kill-window', '-t', `=${session}:=notes`)
    await shows(agent(), 'Handoff demo executor')
    await eventually('the row of tabs to go', async () => (await windows().count()) === 0)
    await eventually('the session of the tab to go', async () => (await sessions(tmux())) === session)
  })

  it('can be a shell in the worktree, which has the keyboard from the start', async () => {
    await newShell().click()
    await reads(shell(1), 'Your shell in the task’s worktree')
    expect(await shell(1).getByRole('button', { name: 'Take the keyboard' }).count()).toBe(0)
    await shell(1).locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })
    await desk.page.keyboard.type('echo in-$(pwd -P)-$((40+2))\n')
    const { worktree } = (await desk.local.call('task.get', { task: id })).task
    const rows = shell(1).locator('.xterm-rows')
    const folder = await realpath(worktree)
    await eventually('the folder', async () =>
      (await rows.innerText()).replaceAll(/\s/g, '').includes(`in-${folder}-42`),
    )
  })

  it('goes on while the page is loaded anew, and asks before a program in it is ended', async () => {
    await desk.page.keyboard.type('sleep 600\n')
    await desk.page.reload()
    await window('Shell 1').click()
    await shows(shell(1), 'sleep 600')
    await newShell().click()
    await reads(shell(2), 'Your shell in the task’s worktree')
    await window('Shell 2').press('ArrowLeft')
    await window('Shell 1').and(desk.page.locator(':focus')).waitFor()
    await window('Shell 1').press('Delete')
    const dialog = desk.page.getByRole('dialog', { name: 'Close shell 1?' })
    await reads(dialog, 'sleep is running in it')
    await dialog.getByRole('button', { name: 'Close it' }).click()
    await eventually('one shell less', async () => (await window('Shell 1').count()) === 0)
    expect((await shellSessions(tmux())).split('\n')).toHaveLength(1)
    await reads(shell(2), 'Your shell in the task’s worktree')
  })

  it('is gone when the shell is left', async () => {
    await shell(2).locator('.xterm').click()
    await desk.page.keyboard.type('exit\n')
    await shows(agent(), 'Handoff demo executor')
    await eventually('the row of tabs to go', async () => (await windows().count()) === 0)
    expect(await shellSessions(tmux())).toBe('')
  })

  it('ends with the task', async () => {
    await desk.page.keyboard.press('Control+Shift+L')
    await reads(shell(1), 'Your shell in the task’s worktree')
    await desk.local.call('task.cancel', { requestId: requestId(), task: id })
    await eventually('the shell to end', async () => (await shellSessions(tmux())) === '')
    await eventually('the sessions to end', async () => (await sessions(tmux())) === '')
  })

  describe.skipIf(sshNeeds.skip)(sshNeeds.title('over ssh'), () => {
    let remote: Remote
    beforeAll(async () => {
      remote = await startRemote()
      await addHost(desk.page, { where: remote.sshd.host, name: 'box', sshConfig: remote.sshd.configFile })
      await isLive(desk.page, 'box')
    })
    afterAll(async () => {
      await remote?.dispose()
    })

    it('are the same, and a shell is there again after the line was cut', async () => {
      const plan = '# Far away\ndemo: fast\ndemo: hang'
      const args = ['--json', 'dispatch', '--executor', 'demo', '--prompt', plan]
      const { stdout, stderr } = await remote.handoffThere(args, { cwd: desk.repo.path })
      expect(stdout, String(stderr)).not.toBe('')
      const { task } = jsonShapes.dispatch.parse(JSON.parse(String(stdout)))
      await goTo(desk.page, `/tasks/box/${task.id}/terminal`)
      await shows(agent(), 'Handoff demo executor')
      const there = await sessions(remote.tmux)
      await remote.tmux.tmux('new-window', '-d', '-n', 'far', '-t', `=${there}:`, 'echo of far; exec cat')
      await window('far').click({ timeout: PATIENCE_MS })
      await shows(view('far, a window of this task'), 'of far')
      await newShell().click()
      await reads(shell(1), 'Your shell in the task’s worktree')
      await shell(1).locator('.xterm').click()
      await desk.page.keyboard.type('echo far-$((40+2))\n')
      await shows(shell(1), 'far-42')
      await remote.sshd.dropConnections()
      await shell(1).locator('[data-kind="lost"]').waitFor({ timeout: PATIENCE_MS })
      await shell(1).locator('[data-kind="live"]').waitFor({ timeout: 60_000 })
      await shows(shell(1), 'far-42')
      await desk.page.keyboard.type('echo again-$((40+2))\n')
      await shows(shell(1), 'again-42')
      await goTo(desk.page, '/inbox')
      // A page that begins anew has let go of its terminals; otherwise they are kept for half a minute.
      await desk.page.reload()
      await eventually('the sessions of tabs to go', async () => (await sessions(remote.tmux)) === there)
    })
  })
})
