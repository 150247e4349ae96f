import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Task } from '../../../shared/domain/task.ts'
import type { HostConnection } from '../../../shared/node/host-client/connection.ts'
import { localAttachArgv, sshAttachArgv } from '../../../shared/node/hosts/attach-argv.ts'
import { dispatchDemo, requestId, startHost, type TestHost } from '../../../tests/support/agentd.ts'
import { createRepository, type TestRepository } from '../../../tests/support/repository.ts'
import { requires } from '../../../tests/support/requirements.ts'
import { startSshd } from '../../../tests/support/sshd.ts'
import { openWindow, startTerminals } from '../../../tests/support/terminals.ts'
import { until } from '../../../tests/support/until.ts'
import type { TerminalHosts } from './screen-place.ts'

const needs = requires('tmux', 'git')
describe.skipIf(needs.skip)(needs.title('windows of a task seen apart'), { timeout: 120_000 }, () => {
  let host: TestHost
  let repo: TestRepository
  let connection: HostConnection
  let task: Task
  let session = ''
  beforeAll(async () => {
    host = await startHost()
    repo = await createRepository()
    connection = await host.connect()
    task = await dispatchDemo(connection, repo.path, 'demo: question Which one? [A|B]')
    session = (await connection.call('task.get', { task: task.id })).tmux?.session ?? ''
    await until('the session', async () => (await sessions()).length === 1)
    await host.tmux.tmux('new-window', '-d', '-n', 'side', '-t', `=${session}:`, 'echo of side; exec cat')
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
  const sessions = async () =>
    (await host.tmux.tmux('list-sessions', '-F', '#{session_name}')).trim().split('\n')
  const onlyItsOwn = () => until('no session but its own', async () => (await sessions()).length === 1)
  const side = async () => {
    const { windows } = await connection.call('task.windows', { task: task.id })
    return windows.find(({ name }) => name === 'side')?.key ?? ''
  }
  const clientPids = async () =>
    (await host.tmux.tmux('list-clients', '-F', '#{client_pid}')).trim().split('\n').map(Number)

  it('show each their own, read-only until the keyboard is taken', async () => {
    const { service } = startTerminals(local(), host.environment)
    const agent = await openWindow(service, task.id)
    const other = await openWindow(service, task.id, { window: await side() })
    await agent.shows('Which one?')
    await other.shows('of side')
    expect(() => service.write(other.id, 'x')).toThrow(expect.objectContaining({ code: 'forbidden' }))
    service.control(other.id, true)
    service.write(other.id, 'typed here\r')
    await other.shows('typed here')
    expect(agent.seen.text).not.toContain('typed here')
    service.close(other.id)
    await onlyItsOwn()
    service.close(agent.id)
  })

  it('leave no session behind when their client, or the process of all clients, is killed', async () => {
    const { service, killPtyHost } = startTerminals(local(), host.environment)
    const other = await openWindow(service, task.id, { window: await side() })
    await other.shows('of side')
    for (const pid of await clientPids()) process.kill(pid, 'SIGKILL')
    await other.is('lost')
    await other.is('live')
    killPtyHost()
    await other.is('lost')
    await other.is('live')
    expect(await sessions()).toHaveLength(2)
    service.close(other.id)
    await onlyItsOwn()
  })

  it('leave nothing behind after a hundred in a row, also those that were closed before they came up', async () => {
    const { service } = startTerminals(local(), host.environment)
    const key = await side()
    const openFiles = () => readdirSync('/proc/self/fd').length
    await (await openWindow(service, task.id, { window: key })).shows('of side')
    const before = openFiles()
    for (let round = 0; round < 100; round += 1) {
      const one = await openWindow(service, task.id, { window: key })
      if (round % 2 === 0) await one.is('live')
      service.close(one.id)
    }
    await until('one client', async () => (await clientPids()).length === 1, { timeoutMs: 30_000 })
    expect(await sessions()).toHaveLength(2)
    expect(openFiles()).toBeLessThanOrEqual(before + 2)
    service.closeAllOf('w1')
    await onlyItsOwn()
  })

  const overSsh = requires('sshd')
  it.skipIf(overSsh.skip)(overSsh.title('leave no session behind when ssh is cut'), async () => {
    const sshd = await startSshd({ env: { HOME: host.tmux.home, TMUX_TMPDIR: host.tmux.folder } })
    onTestFinished(sshd.dispose)
    const { service } = startTerminals(
      {
        ...local(),
        attachArgv: (_host, screen, readOnly) =>
          sshAttachArgv(
            {
              ...screen,
              socketDir: screen.socketDir,
              address: { kind: 'ssh', host: sshd.host },
              sshConfig: sshd.configFile,
              readOnly,
            },
            '-tt',
          ),
      },
      process.env,
    )
    const other = await openWindow(service, task.id, { window: await side() })
    await other.shows('of side')
    await sshd.dropConnections()
    await other.is('lost')
    await other.is('live')
    await until('one session of the terminal', async () => (await sessions()).length === 2)
    service.close(other.id)
    await onlyItsOwn()
  })

  it('come back after a resize storm with the last size', async () => {
    const { service } = startTerminals(local(), host.environment)
    const other = await openWindow(service, task.id, { window: await side() })
    await other.is('live')
    service.control(other.id, true)
    for (let cols = 20; cols <= 220; cols += 1) service.resize(other.id, cols, 10 + (cols % 40))
    service.resize(other.id, 77, 21)
    await until('the last size', async () =>
      (await host.tmux.tmux('list-clients', '-F', '#{client_width}x#{client_height}')).includes('77x21'),
    )
    service.close(other.id)
    await onlyItsOwn()
  })

  it('end when they are closed, and a shell when it is left', async () => {
    const { service } = startTerminals(local(), host.environment)
    const other = await openWindow(service, task.id, { window: await side() })
    await other.shows('of side')
    await host.tmux.tmux('kill-window', '-t', `=${session}:=side`)
    await other.is('ended')
    const input = { requestId: requestId(), task: task.id }
    const { window } = await connection.call('task.openShell', input)
    const shell = await openWindow(service, task.id, { window: window.key })
    await shell.is('live')
    expect(shell.seen.controlled).toBe(true)
    service.control(shell.id, false)
    service.write(shell.id, 'echo in-$((40+2))\r')
    await shell.shows('in-42')
    service.write(shell.id, 'exit\r')
    await shell.is('ended')
    const gone = await openWindow(service, task.id, { window: window.key })
    await gone.is('ended')
    await onlyItsOwn()
  })

  it('end with their task, which does not wait for whoever looks', async () => {
    const other = await dispatchDemo(connection, repo.path, 'demo: question Another? [A|B]')
    const { service } = startTerminals(local(), host.environment)
    await until('the agent', async () =>
      (await connection.call('task.windows', { task: other.id })).windows.some(({ key }) => key === 'agent'),
    )
    const apart = await openWindow(service, other.id, { window: 'agent' })
    await apart.shows('Another?')
    const { window } = await connection.call('task.openShell', { requestId: requestId(), task: other.id })
    const shell = await openWindow(service, other.id, { window: window.key })
    await shell.is('live')
    await connection.call('task.cancel', { requestId: requestId(), task: other.id })
    await apart.is('ended')
    await shell.is('ended')
    await expect(
      connection.call('task.openShell', { requestId: requestId(), task: other.id }),
    ).rejects.toMatchObject({ code: 'task_over' })
  })
})
