import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Task } from '../../../shared/domain/task.ts'
import type { HostConnection } from '../../../shared/node/host-client/connection.ts'
import { localAttachArgv, sshAttachArgv } from '../../../shared/node/hosts/attach-argv.ts'
import { dispatchDemo, requestId, startHost, type TestHost } from '../../../tests/support/agentd.ts'
import { createRepository, type TestRepository } from '../../../tests/support/repository.ts'
import { requires } from '../../../tests/support/requirements.ts'
import { startSshd, type Sshd } from '../../../tests/support/sshd.ts'
import { openWindow, startTerminals } from '../../../tests/support/terminals.ts'
import { until } from '../../../tests/support/until.ts'
import type { HostService } from '../hosts/types.ts'
import type { TerminalHosts } from './screen-place.ts'

const noTask = '00000000-0000-4000-8000-000000000000'
/** Hosts whose "screen" is any program, for what has nothing to do with tmux. */
function programs(argv: (readOnly: boolean) => string[], over = () => false) {
  const task = () => ({ state: over() ? 'completed' : 'running' })
  const call = () => () => Promise.resolve({ task: task(), tmux: { session: 'x' } })
  return {
    call: call as unknown as HostService['call'],
    attachArgv: (_h: string, _t: unknown, readOnly: boolean) => argv(readOnly),
  }
}

describe('a flood in a terminal', () => {
  it('arrives byte for byte, also where characters were cut on the way', async () => {
    const line = 'Ärger 漢字 👩‍👩‍👧 \x1b[1mfett\x1b[0m €\r\n'
    const script =
      'stty raw -echo; all=$TEXT; i=0; while [ $i -lt 13 ]; do all="$all$all"; i=$((i+1)); done; printf %s "$all"; sleep 60'
    const text = line.repeat(2 ** 13)
    const { service } = startTerminals(
      programs(() => ['env', `TEXT=${line}`, 'sh', '-c', script]),
      process.env,
    )
    const { seen } = await openWindow(service, noTask)
    await until('all of it', () => seen.chars >= text.length, { timeoutMs: 30_000 })
    expect(seen.chars).toBe(text.length)
    expect(seen.hash.digest('hex')).toBe(createHash('sha256').update(text).digest('hex'))
  }, 60_000)

  const flood =
    'stty -opost; yes 0123456789012345678901234567890123456789 | head -c 50000000; echo; echo the-end; sleep 60'

  it('arrives whole and in order at a window that draws it', async () => {
    const { service } = startTerminals(
      programs(() => ['sh', '-c', flood]),
      process.env,
    )
    const { seen, shows } = await openWindow(service, noTask)
    await shows('the-end')
    expect(seen.chars).toBeGreaterThanOrEqual(50_000_000)
    expect(seen.seqs).toEqual(seen.seqs.map((_, index) => (seen.seqs[0] ?? 0) + index))
    expect(seen.resets).toBe(1)
  }, 60_000)

  it('stops soon for a window that draws nothing, and goes on when it does', async () => {
    const { service } = startTerminals(
      programs(() => ['sh', '-c', flood]),
      process.env,
    )
    const { id, seen, shows } = await openWindow(service, noTask, { acks: false })
    await until('the pause', () => seen.chars > 100_000)
    const other = startTerminals(
      programs(() => ['sh', '-c', 'sleep 1; echo later; sleep 60']),
      process.env,
    )
    await (await openWindow(other.service, noTask)).shows('later')
    const held = seen.chars
    expect(held).toBeLessThanOrEqual(100_000 + 64 * 1024)
    service.ack(id, held - 5_000)
    expect(seen.chars).toBe(held)
    service.ack(id, 1)
    await until('more', () => seen.chars > held)
    service.onData(({ chars }) => service.ack(id, chars))
    service.ack(id, seen.chars)
    await shows('the-end')
  }, 60_000)
})

describe('who may type', () => {
  it('refuses input until the keyboard is taken, and again after it was given back', async () => {
    const echo = ['sh', '-c', 'stty -echo; echo ready; while read line; do echo "<$line>"; done']
    const flags: boolean[] = []
    const hosts = programs((readOnly) => {
      flags.push(readOnly)
      return echo
    })
    const { service } = startTerminals(hosts, process.env)
    const { id, seen, shows } = await openWindow(service, noTask)
    await shows('ready')
    expect(() => service.write(id, 'early\r')).toThrow(expect.objectContaining({ code: 'forbidden' }))
    service.control(id, true)
    // The new attachment is not up yet; what is typed meanwhile is not lost.
    service.write(id, 'at once\r')
    await shows('<at once>')
    expect(seen.controlled).toBe(true)
    expect(seen.states.map(({ kind }) => kind)).toEqual(['connecting', 'live', 'live'])
    expect(seen.resets).toBe(2)
    service.control(id, false)
    expect(() => service.write(id, 'late\r')).toThrow(expect.objectContaining({ code: 'forbidden' }))
    await until('the third attachment', () => flags.length === 3)
    expect(flags).toEqual([true, false, true])
  })

  it('closes the terminals of a window that is gone', async () => {
    const { service } = startTerminals(
      programs(() => ['sh', '-c', 'echo up; sleep 60']),
      process.env,
    )
    const { id, shows } = await openWindow(service, noTask)
    await shows('up')
    expect(service.windowOf(id)).toBe('w1')
    service.closeAllOf('w1')
    expect(service.windowOf(id)).toBeUndefined()
    expect(() => service.write(id, 'x')).toThrow(expect.objectContaining({ code: 'bad_request' }))
    service.ack(id, 1)
  })
})

describe('a terminal that is lost', () => {
  it('comes back when the process of the ptys was killed', async () => {
    const { service, killPtyHost } = startTerminals(
      programs(() => ['sh', '-c', 'echo screen; sleep 60']),
      process.env,
    )
    const { seen, shows, is } = await openWindow(service, noTask)
    await shows('screen')
    killPtyHost()
    await is('lost')
    await until('a new screen', () => seen.resets === 2, { timeoutMs: 30_000 })
    expect(seen.states.find(({ kind }) => kind === 'lost')).toMatchObject({
      error: { code: 'terminal_failed' },
    })
    expect(seen.seqs[0]).toBe(1)
  })

  it('comes back when that process was killed while the window had drawn nothing, and goes on when it has', async () => {
    const { service, killPtyHost } = startTerminals(
      programs(() => ['yes', 'flood']),
      {},
    )
    const window = await openWindow(service, noTask, { acks: false })
    await until('it to be paused', () => window.seen.chars > 100_000, { timeoutMs: 20_000 })
    killPtyHost()
    await window.is('lost')
    await window.is('connecting')
    const { chars } = window.seen
    service.ack(window.id, chars)
    await window.is('live')
    expect(window.seen.seqs[0]).toBe(1)
    expect(window.seen.resets).toBe(2)
    await until('it to go on', () => window.seen.chars > chars + 50_000, { timeoutMs: 20_000 })
  })

  it('waits longer each time, and is tried at once on demand and when its host is back', async () => {
    let attempts = 0
    let since = 1
    const hosts = {
      ...programs(() => {
        attempts += 1
        return ['sh', '-c', 'exit 255']
      }),
      get: (name: string) => ({
        name,
        isLocal: false,
        address: 'ssh://box',
        state: { kind: 'live' as const, since },
      }),
    }
    const { service, hostChanged } = startTerminals(hosts, process.env)
    const { id, seen, is } = await openWindow(service, noTask)
    await until('some tries', () => attempts === 4, { timeoutMs: 20_000 })
    await is('lost')
    const lost = seen.states.filter((state) => state.kind === 'lost')
    expect(lost[3]?.error.code).toBe('connection_lost')
    expect((lost[3]?.retryAt ?? 0) - Date.now()).toBeGreaterThan(1_000)
    service.retry(id)
    await until('the try on demand', () => attempts === 5)
    await is('lost')
    since = 2
    hostChanged()
    hostChanged()
    await until('the try for the host', () => attempts === 6)
    await is('lost')
  })

  it('has ended when its task is over, and says so', async () => {
    let over = false
    const { service } = startTerminals(
      programs(
        () => ['sh', '-c', 'echo up; read line'],
        () => over,
      ),
      process.env,
    )
    const { id, seen, shows, is } = await openWindow(service, noTask)
    await shows('up')
    service.control(id, true)
    over = true
    service.write(id, '\r')
    await is('ended')
    expect(seen.controlled).toBe(false)
  })
})

const needs = requires('tmux', 'git')
describe.skipIf(needs.skip)(needs.title('the screen of a real task'), { timeout: 90_000 }, () => {
  let host: TestHost
  let repo: TestRepository
  let connection: HostConnection
  let task: Task
  beforeAll(async () => {
    host = await startHost()
    repo = await createRepository()
    connection = await host.connect()
    task = await dispatchDemo(connection, repo.path, 'demo: question Which one? [A|B]')
  })
  afterAll(async () => {
    connection.close()
    await host.dispose()
    await repo.dispose()
  })

  const local = (): Pick<TerminalHosts, 'call' | 'attachArgv'> => ({
    call: () => connection.call,
    attachArgv: (_host, screen, readOnly) =>
      localAttachArgv({ ...screen, socketDir: screen.socketDir, readOnly }),
  })
  const clients = () =>
    host.tmux.tmux('list-clients', '-F', '#{client_flags} #{client_width}x#{client_height}')

  it('is shown read-only, without a say in its size, until the keyboard is taken', async () => {
    const { service } = startTerminals(local(), host.environment)
    const { id, shows } = await openWindow(service, task.id)
    await shows('Which one?')
    expect(await clients()).toMatch(/ignore-size.*read-only.* 90x30/)
    service.control(id, true)
    await until('the second attachment', async () => !/read-only/.test(await clients()))
    service.resize(id, 100, 40)
    await until('the new size', async () => (await clients()).includes('100x40'))
    const shown = await host.tmux.tmux('list-windows', '-a', '-F', '#{window_width}x#{window_height}')
    expect(shown).toContain('100x39')
  })

  it('has every colour that the agent chose, not the nearest of 256', async () => {
    const { service } = startTerminals(local(), host.environment)
    const { shows } = await openWindow(service, task.id)
    await shows('Which one?')
    const { session = '' } = (await connection.call('task.get', { task: task.id })).tmux ?? {}
    const print = `printf '\\033[38;2;101;103;107mtrue\\033[0m'; exec sleep 600`
    await host.tmux.tmux('new-window', '-t', `=${session}:`, print)
    await shows('\x1b[38;2;101;103;107mtrue')
    await host.tmux.tmux('kill-window', '-t', `=${session}:`)
  })

  const overSsh = requires('sshd')
  it.skipIf(overSsh.skip)(overSsh.title('comes back over ssh after the connection was cut'), async () => {
    const sshd: Sshd = await startSshd({ env: { HOME: host.tmux.home, TMUX_TMPDIR: host.tmux.folder } })
    onTestFinished(sshd.dispose)
    const { service } = startTerminals(
      {
        ...local(),
        get: (name) => ({ name, isLocal: false, address: 'ssh://box', state: { kind: 'live', since: 1 } }),
        attachArgv: (_host, { session, socketDir }, readOnly) =>
          sshAttachArgv(
            {
              address: { kind: 'ssh', host: sshd.host },
              sshConfig: sshd.configFile,
              session,
              socketDir,
              readOnly,
            },
            '-tt',
          ),
      },
      process.env,
    )
    const { seen, shows, is } = await openWindow(service, task.id)
    await shows('Which one?')
    await sshd.dropConnections()
    await is('lost')
    await is('live')
    await shows('Which one?')
    expect(seen.resets).toBeGreaterThanOrEqual(2)
    expect(seen.states.find(({ kind }) => kind === 'lost')).toMatchObject({
      error: { code: 'connection_lost' },
    })
  })

  it('ends when the task is cancelled', async () => {
    const other = await dispatchDemo(connection, repo.path, 'demo: question Another? [A|B]')
    const { service } = startTerminals(local(), host.environment)
    const { shows, is, seen } = await openWindow(service, other.id)
    await shows('Another?')
    await connection.call('task.cancel', { requestId: requestId(), task: other.id })
    await is('ended')
    expect(seen.states.at(-1)).toEqual({ kind: 'ended' })
  })

  it('has ended at once for a task that nobody knows', async () => {
    const { service } = startTerminals(local(), host.environment)
    const { is, seen } = await openWindow(service, noTask)
    await is('ended')
    expect(seen.states.at(-1)).toMatchObject({ error: { code: 'task_not_found' } })
  })
})
