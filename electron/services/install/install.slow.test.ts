import { existsSync } from 'node:fs'
import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { dispatchDemo, nextWake } from '../../../tests/support/agentd.ts'
import { freshMachine, type FreshMachine } from '../../../tests/support/fresh-machine.ts'
import { startHostService, type TestHostService } from '../../../tests/support/host-service.ts'
import { createRepository } from '../../../tests/support/repository.ts'
import { requires } from '../../../tests/support/requirements.ts'
import { createTempDir, type TempDir } from '../../../tests/support/temp.ts'
import { until } from '../../../tests/support/until.ts'
import type { InstallStep } from '../../../shared/ipc/host-calls.ts'
import type { Installation } from '../platform.ts'
import { installOnHost } from './install.ts'
import { uninstallFromHost } from './uninstall.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const installation: Installation = {
  node: process.execPath,
  dist: path.join(root, 'dist'),
  command: path.join(root, 'bin/handoff'),
  version: '0.1.0',
}

/** Collects what a job shows, and can be cancelled. */
function jobForTest(onStep: (step: InstallStep, done?: number) => void = () => undefined) {
  const cancel = new AbortController()
  const shown: InstallStep[] = []
  return {
    shown,
    cancel,
    job: {
      signal: cancel.signal,
      progress({ install, done }: { install?: InstallStep | undefined; done?: number | undefined }) {
        if (install === undefined) return
        shown.push(install)
        onStep(install, done)
      },
    },
  }
}

const needs = requires('sshd', 'tmux', 'git')
describe.skipIf(needs.skip)(needs.title('installing on a host over ssh'), { timeout: 120_000 }, () => {
  let desk: TestHostService
  let machine: FreshMachine
  const leftovers: TempDir[] = []

  async function begin(more: Record<string, string> = {}): Promise<void> {
    machine = await freshMachine(more)
    desk.service.add({
      name: 'box',
      address: `ssh://${machine.sshd.host}`,
      sshConfig: machine.sshd.configFile,
    })
  }
  beforeEach(async () => {
    desk = await startHostService()
    return async () => {
      await desk.dispose()
      await machine.dispose()
      for (const folder of leftovers.splice(0)) await folder.dispose()
    }
  })

  const install = (
    more: Partial<Parameters<typeof installOnHost>[0]> = {},
    { job } = jobForTest(),
  ): ReturnType<typeof installOnHost> =>
    installOnHost({ host: 'box', store: desk.store, hosts: desk.service, installation, job, ...more })
  const stateOf = ({ steps }: { steps: InstallStep[] }) =>
    Object.fromEntries(steps.map(({ id, state }) => [id, state]))
  const allDone = {
    reach: 'done',
    inspect: 'done',
    copy: 'done',
    service: 'done',
    pair: 'done',
    executors: 'done',
    round_trip: 'done',
  }

  it('goes all the way, changes nothing the second time, and can be taken back', async () => {
    await begin()
    await desk.reaches('box', 'offline')
    const first = jobForTest()
    const outcome = await install({}, first)
    expect(outcome.steps.find(({ state }) => state === 'failed')).toBeUndefined()
    expect(stateOf(outcome)).toEqual(allDone)
    expect(first.shown.filter(({ id }) => id === 'copy').map(({ state }) => state)).toContain('running')
    expect(desk.service.get('box')).toMatchObject({ role: 'user', state: { kind: 'live' } })
    expect(desk.store.get('box').remoteCommand).toBe('~/.handoff/bin/handoff dial-stdio')
    const { pid } = await desk.service.call('box')('host.info', {})
    expect((await desk.service.call('box')('host.info', {})).home).toBe(machine.handoff)

    const again = await install()
    expect(stateOf(again)).toEqual(allDone)
    expect(again.steps.find(({ id }) => id === 'copy')?.found?.kind).toBe('copied_before')
    expect((await desk.service.call('box')('host.info', {})).pid).toBe(pid)
    expect(stateOf(await install({ from: 'executors' }))).toMatchObject({
      inspect: 'done',
      copy: 'skipped',
      service: 'skipped',
      executors: 'done',
    })

    const { job } = jobForTest()
    const undone = await uninstallFromHost({
      host: 'box',
      store: desk.store,
      hosts: desk.service,
      installation,
      job,
      withOpenTasks: false,
    })
    expect(stateOf(undone)).toEqual({ reach: 'done', undo: 'done' })
    expect(existsSync(path.join(machine.handoff, 'app'))).toBe(false)
    expect(existsSync(path.join(machine.handoff, 'bin'))).toBe(false)
    expect(existsSync(path.join(machine.handoff, 'handoff.db'))).toBe(true)
    expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: 'ESRCH' }))
    await desk.reaches('box', 'offline')
  })

  it('replaces an older build under a running task, whose executor goes on', async () => {
    await begin()
    expect((await install()).ok).toBe(true)
    const repo = await createRepository()
    try {
      const connection = desk.service.connection('box')
      if (connection === undefined) throw new Error('not connected')
      const task = await dispatchDemo(
        connection,
        repo.path,
        'demo: ask Which? | a | b\ndemo: commit a.txt done',
      )
      await nextWake(connection, task.id)
      const { pid } = await connection.call('host.info', {})
      const [before] = await readdir(path.join(machine.handoff, 'app')).then((names) =>
        names.filter((name) => /^\d/.test(name)),
      )

      const dist = path.join(machine.folder, 'newer/dist')
      await cp(installation.dist, dist, { recursive: true })
      await symlink(path.join(root, 'node_modules'), path.join(machine.folder, 'newer/node_modules'))
      await writeFile(
        path.join(dist, 'pane.js'),
        `${await readFile(path.join(dist, 'pane.js'), 'utf8')}\n// newer\n`,
      )
      const outcome = await install({ installation: { ...installation, dist } })
      expect(stateOf(outcome)).toEqual(allDone)
      const call = desk.service.call('box')
      expect((await call('host.info', {})).pid).not.toBe(pid)
      const { tickets } = await call('task.get', { task: task.id, historyLimit: 0 })
      const ticket = tickets.find(({ state }) => state === 'open')
      expect(ticket).toBeDefined()
      expect(await readdir(path.join(machine.handoff, 'app'))).toContain(before)
      await call('task.cancel', { requestId: 'request-cancel-1', task: task.id })
    } finally {
      await repo.dispose()
    }
  })

  it('begins anew after the copy was cut in the middle', async () => {
    await begin()
    const cut = jobForTest((step, done) => {
      if (step.id === 'copy' && done !== undefined) void machine.sshd.dropConnections()
    })
    const outcome = await install({}, cut)
    expect(outcome.ok).toBe(false)
    expect(outcome.steps.find(({ id }) => id === 'copy')).toMatchObject({
      state: 'failed',
      error: { hint: expect.anything() },
    })
    expect(existsSync(path.join(machine.handoff, 'app/current'))).toBe(false)
    expect(stateOf(await install({ from: 'copy' }))).toEqual(allDone)
    expect((await readdir(path.join(machine.handoff, 'app'))).filter((name) => name.startsWith('.'))).toEqual(
      [],
    )
  })

  it('brings Node along to a machine that has none or an old one', async () => {
    const few = await createTempDir('hf-')
    // After the machine, whose agentd is stopped by commands that need these programs.
    leftovers.push(few)
    const tools =
      'sh uname df tail dirname git tar gzip env sed readlink tmux mkdir rm cat mv chmod ln ps grep rmdir'
    for (const name of tools.split(' ')) await symlink(path.join('/usr/bin', name), path.join(few.path, name))
    await writeFile(path.join(few.path, 'node'), '#!/bin/sh\necho v18.0.0\n', { mode: 0o755 })
    await begin({ PATH: few.path })
    const outcome = await install()
    expect(stateOf(outcome)).toEqual(allDone)
    expect(outcome.steps.find(({ id }) => id === 'inspect')?.found?.values['node']).toContain('18.0.0')
    const { node } = await desk.service.call('box')('host.info', {})
    expect(node).toBe(process.version)
  })

  it('can be cancelled, and says so', async () => {
    await begin()
    const cancelled = jobForTest((step) => {
      if (step.id === 'copy') cancelled.cancel.abort()
    })
    await expect(install({}, cancelled)).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('stops at a machine without tmux, and says what to install', async () => {
    const few = await createTempDir('hf-')
    leftovers.push(few)
    for (const name of [
      'sh',
      'uname',
      'df',
      'tail',
      'dirname',
      'git',
      'tar',
      'gzip',
      'env',
      'sed',
      'readlink',
    ])
      await symlink(path.join('/usr/bin', name), path.join(few.path, name))
    await begin({ PATH: few.path })
    const { ok, steps } = await install()
    expect(ok).toBe(false)
    expect(steps.find(({ id }) => id === 'inspect')).toMatchObject({
      state: 'failed',
      error: {
        code: 'tmux_missing',
        message: 'tmux is not installed on box.',
        hint: expect.stringContaining('install tmux'),
      },
    })
    expect(steps.find(({ id }) => id === 'copy')?.state).toBe('waiting')
  })

  it('says what ssh says when the machine cannot be reached', async () => {
    await begin()
    await until('the host', () => desk.service.get('box'))
    await writeFile(path.join(path.dirname(machine.sshd.configFile), 'authorized_keys'), '')
    const { steps } = await install()
    expect(steps[0]).toMatchObject({
      id: 'reach',
      state: 'failed',
      error: { hint: expect.stringContaining('ssh') },
    })
    desk.service.add({ name: 'net', address: 'ws://127.0.0.1:1' })
    await expect(install({ host: 'net' })).rejects.toMatchObject({ code: 'bad_request' })
  })
})
