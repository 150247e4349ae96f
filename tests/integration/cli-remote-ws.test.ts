import { execa, type Options } from 'execa'
import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { STEERING_VARIABLES } from '../support/remote.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { createTempDir, type TempDir } from '../support/temp.ts'
import { createTmuxPlace, type TmuxPlace } from '../support/tmux.ts'
import { until } from '../support/until.ts'

const program = path.resolve(import.meta.dirname, '../../bin/handoff')

const needs = requires('tmux')
describe.skipIf(needs.skip)(needs.title('a host at ws:// with a token'), () => {
  let host: TestHost
  let repo: TestRepository
  let folder: TempDir
  let desk: TmuxPlace
  let address: string

  beforeAll(async () => {
    host = await startHost({ args: ['--listen', '127.0.0.1:0'] })
    repo = await createRepository()
    folder = await createTempDir()
    desk = await createTmuxPlace()
    const { info } = jsonShapes['agentd status'].parse(JSON.parse(await there('--json', 'agentd', 'status')))
    const tcp = info?.listening.find((one) => one.includes('127.0.0.1'))
    address = `ws://127.0.0.1:${/:(\d+)/.exec(tcp?.replace('ws://', '') ?? '')?.[1] ?? ''}`
    await mkdir(path.join(folder.path, 'h'), { mode: 0o700 })
  })
  afterAll(async () => {
    await handoff(['agentd', 'stop'])
    await desk.dispose()
    await host.dispose()
    await folder.dispose()
    await repo.dispose()
  })

  function environment(home: string): NodeJS.ProcessEnv {
    const env: NodeJS.ProcessEnv = { ...host.environment, HANDOFF_HOME: home }
    for (const name of STEERING_VARIABLES) delete env[name]
    return env
  }

  /** The command line of somebody elsewhere. */
  function handoff(args: string[], options: Options = {}) {
    return execa(program, args, {
      cwd: repo.path,
      env: environment(path.join(folder.path, 'h')),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: 60_000,
      ...options,
    })
  }

  /** On the host itself. */
  async function there(...args: string[]): Promise<string> {
    const env = environment(host.home)
    const { stdout } = await execa(program, args, { env, extendEnv: false, stdin: 'ignore', timeout: 60_000 })
    return stdout
  }

  const tokenFor = (role: string) => there('agentd', 'token', 'create', '--role', role, '--name', `a ${role}`)

  const add = (name: string, token: string) =>
    handoff(['host', 'add', name, address, '--token'], { input: `${token}\n`, stdin: 'pipe' })

  async function dispatch(name: string, steps: string[]): Promise<string> {
    const plan = ['# Over TCP', 'demo: fast', ...steps.map((step) => `demo: ${step}`)].join('\n')
    const { stdout, stderr } = await handoff([
      '--json',
      'dispatch',
      '-t',
      name,
      '-e',
      'demo',
      '--prompt',
      plan,
    ])
    expect(String(stderr)).not.toContain('"error"')
    return jsonShapes.dispatch.parse(JSON.parse(String(stdout))).task.id
  }

  /** Runs on a terminal, types a word at the question, and answers what the screen shows at the end. */
  async function onTerminal(home: string, args: string[], word: string): Promise<string> {
    const quoted = args.map((arg) => `'${arg}'`).join(' ')
    const unset = STEERING_VARIABLES.map((name) => `-u ${name}`).join(' ')
    const command = `env -u TMUX ${unset} HANDOFF_HOME='${home}' '${program}' ${quoted}; echo "ended with $?"; exec cat`
    await desk.tmux('new-session', '-d', '-s', 'desk', '-x', '120', '-y', '40', command)
    const screen = () => desk.tmux('capture-pane', '-p', '-J', '-t', 'desk')
    await until('the question', async () => new RegExp(`type .*${word}`, 'i').test(await screen()), {
      timeoutMs: 20_000,
    })
    await desk.tmux('send-keys', '-t', 'desk', word, 'Enter')
    const shown = await until('the end', async () => {
      const text = await screen()
      return text.includes('ended with') ? text : undefined
    })
    await desk.tmux('kill-session', '-t', 'desk')
    return shown
  }

  it('keeps the token for this user alone, and shows it nowhere', async () => {
    const token = await tokenFor('reviewer')
    const none = await handoff(['host', 'add', 'lab', address])
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('[needs_token]')])
    const added = await add('lab', token)
    expect(added.stdout).toMatch(/✓ lab: reached as reviewer/)
    const home = path.join(folder.path, 'h')
    expect((await stat(path.join(home, 'host-tokens/lab'))).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(home, 'hosts.json'))).mode & 0o777).toBe(0o600)
    const places = [
      await readFile(path.join(home, 'hosts.json'), 'utf8'),
      await readFile(path.join(host.home, 'logs/agentd.log'), 'utf8').catch(() => ''),
      String(added.stdout) + String(added.stderr),
      String((await handoff(['--json', 'host', 'list'])).stdout),
    ]
    expect(places.join('\n')).not.toContain(token)
    await handoff(['host', 'remove', 'lab'])
    await expect(stat(path.join(home, 'host-tokens/lab'))).rejects.toMatchObject({ code: 'ENOENT' })
    const wrong = await add('lab', `${token.slice(0, -4)}AAAA`)
    expect(wrong.stdout).toMatch(
      /✗ lab: .* does not accept the token\. \[unauthorized\]\n +Make a new one there/,
    )
    await handoff(['host', 'remove', 'lab'])
  })

  it('lets a reviewer work, but not answer for the person', async () => {
    await add('lab', await tokenFor('reviewer'))
    const taskId = await dispatch('lab', [
      'ask-permission git status',
      'ask-permission sudo reboot',
      'write a b',
      'commit x',
    ])
    await handoff(['wait', taskId])
    expect((await handoff(['reply', taskId, '--approve'])).exitCode).toBe(0)
    const woken = jsonShapes.wait.parse(JSON.parse(String((await handoff(['wait', taskId])).stdout)))
    expect(woken.audience).toBe('user')
    const piped = await handoff(['reply', taskId, '--deny'], { input: 'deny\n', stdin: 'pipe' })
    expect([piped.exitCode, piped.stderr]).toEqual([1, expect.stringContaining('[person_required]')])
    const typed = await onTerminal(path.join(folder.path, 'h'), ['reply', taskId, '--deny'], 'deny')
    expect(typed).toContain('sudo reboot')
    expect(typed).toContain('ended with 0')
    expect((await handoff(['--json', 'done', taskId])).stderr).not.toContain('forbidden')
  })

  it('lets an observer look, and nothing else', async () => {
    await add('watch', await tokenFor('observer'))
    const [task] = jsonShapes.tasks.parse(
      JSON.parse(String((await handoff(['--json', '--host', 'watch', 'tasks', '--all'])).stdout)),
    ).tasks
    const id = task?.id ?? ''
    expect((await handoff(['--host', 'watch', 'show', id])).exitCode).toBe(0)
    for (const args of [
      ['dispatch', '-e', 'demo', '--prompt', 'x'],
      ['diff', id],
      ['run', id, '--', 'true'],
      ['cancel', id, '--yes'],
      ['pull', id],
    ]) {
      const { exitCode, stderr } = await handoff(['--host', 'watch', ...args])
      expect([args[0], exitCode, stderr]).toEqual([args[0], 1, expect.stringContaining('[forbidden]')])
    }
  })

  it('knows the person by a user token, which only a person can make', async () => {
    const shown = await onTerminal(
      host.home,
      ['agentd', 'token', 'create', '--role', 'user', '--name', 'desk'],
      'create',
    )
    const token = /^[\x21-\x7e]{40,}$/m.exec(shown)?.[0] ?? ''
    const added = await add('mine', token)
    expect(added.stdout).toMatch(/✓ mine: reached as user/)
  })

  it('ends a wait whose token is revoked, with a sentence', async () => {
    await add('soon', await there('agentd', 'token', 'create', '--role', 'reviewer', '--name', 'brief'))
    const taskId = await dispatch('soon', ['sleep 60000'])
    const waiting = handoff(['--host', 'soon', 'wait', taskId])
    const following = handoff(['--host', 'soon', 'wait', taskId, '--follow'])
    await new Promise<void>((resolve) => following.stdout?.once('data', () => resolve()))
    const revoked = jsonShapes['agentd token revoke'].parse(
      JSON.parse(await there('--json', 'agentd', 'token', 'revoke', 'brief')),
    )
    expect(revoked.closedConnections).toBeGreaterThan(0)
    for (const ended of [await waiting, await following]) {
      expect(ended.exitCode).toBe(1)
      expect(ended.stderr).toMatch(/token of this connection was revoked.*\[unauthorized\]/)
      expect(ended.stderr).not.toContain('trying again')
    }
    expect((await waiting).stdout).toBe('')
    await there('cancel', taskId, '--yes')
  })
})
