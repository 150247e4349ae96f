import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requires } from '../../tests/support/requirements.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { createTmuxPlace, type TmuxPlace } from '../../tests/support/tmux.ts'
import { until } from '../../tests/support/until.ts'
import { createTmux, type Tmux } from './tmux.ts'

const needs = requires('tmux')

/** A person's configuration that would break naive use. */
const ODD_CONFIGURATION = `
set -g base-index 1
setw -g pane-base-index 1
set -g default-command "echo never; exit 1"
set -g remain-on-exit off
set -g mouse on
set -g status off
set -g allow-rename on
set -g automatic-rename on
set -g destroy-unattached on
set -g prefix C-a
`

describe.skipIf(needs.skip)(needs.title('tmux'), () => {
  let place: TmuxPlace
  let tmux: Tmux

  beforeAll(async () => {
    place = await createTmuxPlace(ODD_CONFIGURATION)
    tmux = createTmux({
      environment: {
        ...place.environment,
        TMUX: '/nowhere,1,0',
        OPENAI_API_KEY: 'secret',
        HANDOFF_TASK: 'other',
      },
    })
  })
  afterAll(() => place.dispose())

  it('knows nothing of sessions before there is a server', async () => {
    expect(await tmux.hasSession('handoff-none')).toBe(false)
    expect(await tmux.panes('handoff-none')).toBeUndefined()
    expect(await tmux.serverPid()).toBeUndefined()
    await tmux.killSession('handoff-none')
    expect(await tmux.version()).toMatch(/^\d/)
  })

  it('runs a program with its arguments untouched, and reads what it printed after it has ended', async () => {
    const cwd = join(await tempDirForTest(), "it's #{odd} 100% 目录;")
    await mkdir(cwd)
    const args = ['a b', "it's", '#{session_name}', '$HOME', '', 'end;', ';', '你好']
    const script = 'pwd; for word; do printf "[%s]\\n" "$word"; done; exit 7'
    await tmux.newSession({
      ...{ session: 'handoff-args', window: 'agent', title: '100% #[fg=red]odd #{pane_pid}' },
      ...{ cwd, argv: ['sh', '-c', script, 'sh', ...args] },
    })
    const pane = await until('the end', async () =>
      (await tmux.panes('handoff-args'))?.find(({ dead }) => dead),
    )
    expect(pane).toMatchObject({ window: 'agent', dead: true, status: 7 })
    const shown = await tmux.capture(pane.id, 50)
    expect(shown).toContain([cwd, ...args.map((word) => `[${word}]`)].join('\n'))
    expect(
      await place.tmux('display-message', '-p', '-t', '=handoff-args:', '#{window_width}x#{window_height}'),
    ).toBe('200x50\n')
    expect(await place.tmux('show-options', '-v', '-t', '=handoff-args:', 'status-left')).toBe(
      '[handoff] 100%%  [fg=red]odd  {pane_pid} \n',
    )
    expect(await place.tmux('show-options', '-gv', 'status')).toBe('off\n')
  })

  it('has the last line of a program that printed and ended at once, every time', async () => {
    for (const number of Array.from({ length: 25 }, (_, index) => index)) {
      const session = `handoff-last-${number}`
      const script = 'for line in 1 2 3 4 5 6 7 8; do echo "line $line"; done'
      await tmux.newSession({ session, window: 'w', cwd: '/', argv: ['sh', '-c', script], title: 't' })
      const pane = await until('the end', async () => (await tmux.panes(session))?.find(({ dead }) => dead))
      expect(await tmux.capture(pane.id, 50)).toContain('line 7\nline 8')
      await tmux.killSession(session)
    }
  })

  it('tells a signal from an exit code, and keeps windows apart whatever they call themselves', async () => {
    const session = 'handoff-two'
    await tmux.newSession({
      session,
      window: 'agent',
      cwd: '/',
      argv: ['sh', '-c', 'printf "\\033kother\\033\\\\"; sleep 600'],
      title: 't',
    })
    await tmux.addFirstWindow({ session, window: 'log', cwd: '/', argv: ['sh', '-c', 'kill -9 $$'] })
    const dead = await until('the signal', async () => (await tmux.panes(session))?.find((pane) => pane.dead))
    expect(dead).toMatchObject({ window: 'log', signal: 9 })
    expect((await tmux.panes(session))?.map(({ window }) => window)).toEqual(['log', 'agent'])
    const active = () => place.tmux('display-message', '-p', '-t', `=${session}:`, '#{@handoff-window}')
    expect(await active()).toBe('agent\n')
    await tmux.selectWindow(session, 'log')
    expect(await active()).toBe('log\n')
  })

  it('does not take a longer name for the session', async () => {
    await tmux.newSession({
      session: 'handoff-12345678',
      window: 'w',
      cwd: '/',
      argv: ['sleep', '600'],
      title: 't',
    })
    expect(await tmux.hasSession('handoff-1234')).toBe(false)
    await tmux.killSession('handoff-1234')
    expect(await tmux.hasSession('handoff-12345678')).toBe(true)
    await tmux.killSession('handoff-12345678')
    expect(await tmux.hasSession('handoff-12345678')).toBe(false)
  })

  it('ends a session also while others look at its windows through sessions of their own', async () => {
    const session = 'handoff-seen'
    const call = { session, cwd: '/', argv: ['sleep', '600'] as const }
    await tmux.newSession({ ...call, argv: ['sleep', '600'], window: 'agent', title: 't' })
    await tmux.addFirstWindow({ ...call, argv: ['sleep', '601'], window: 'log' })
    await place.tmux(
      'new-session',
      '-d',
      '-t',
      `=${session}`,
      '-s',
      'looks',
      ';',
      'set-option',
      '-t',
      '=looks:',
      'destroy-unattached',
      'off',
    )
    await place.tmux(
      'new-session',
      '-d',
      '-s',
      'other',
      'sleep 602',
      ';',
      'set-option',
      '-t',
      '=other:',
      'destroy-unattached',
      'off',
    )
    expect(await tmux.windows(session)).toMatchObject([
      { name: 'log', mark: 'log', dead: false },
      { name: 'agent', mark: 'agent', dead: false },
    ])
    const pids = (await tmux.panes(session))?.map(({ pid }) => pid) ?? []
    await tmux.killSession(session)
    expect(await tmux.windows(session)).toEqual([])
    expect(await place.tmux('list-sessions', '-F', '#{session_name}')).not.toMatch(/looks|handoff-seen/)
    expect(await tmux.hasSession('other')).toBe(true)
    await until('its programs to end', () => pids.every((pid) => !existsSync(`/proc/${pid}`)))
    await place.tmux('kill-session', '-t', '=other')
  })

  it.each(['plain.log', "it's.log", 'a b $HOME `id`.log', '100%d #{pane_id} #S.log', '日志;.log', 'end\\'])(
    'copies the pane into a file called %s',
    async (name) => {
      const path = join(await tempDirForTest(), name)
      const session = `handoff-pipe-${name.length}`
      await tmux.newSession({
        session,
        window: 'w',
        cwd: '/',
        argv: ['sh', '-c', 'echo first; read line; echo "got $line"; sleep 600'],
        title: 't',
        logPath: path,
      })
      const pane = (await tmux.panes(session))?.[0]
      await place.tmux('send-keys', '-t', pane?.id ?? '', 'hello', 'Enter')
      await until('the lines in the file', async () =>
        /first.*got hello/s.test(await readFile(path, 'utf8').catch(() => '')),
      )
      await tmux.killSession(session)
    },
  )

  it('gives the server no secret and no mark of a task', async () => {
    await tmux.newSession({ session: 'handoff-env', window: 'w', cwd: '/', argv: ['env', '--'], title: 't' })
    const pane = await until('the end', async () =>
      (await tmux.panes('handoff-env'))?.find(({ dead }) => dead),
    )
    const shown = await tmux.capture(pane.id, 100)
    expect(shown).toContain('PATH=')
    expect(shown).not.toMatch(/OPENAI_API_KEY|HANDOFF_TASK/)
    expect(await tmux.serverPid()).toBeGreaterThan(1)
  })

  it('says how to install tmux when it is missing', async () => {
    const without = createTmux({ environment: { ...place.environment, PATH: '/nonexistent' } })
    await expect(without.version()).rejects.toMatchObject({
      code: 'tmux_missing',
      hint: expect.stringContaining('apt-get install tmux') as string,
    })
  })
})
