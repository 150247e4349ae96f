import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { startHostService, type TestHostService } from '../../../tests/support/host-service.ts'
import { startRemote, type Remote } from '../../../tests/support/remote.ts'
import { requires } from '../../../tests/support/requirements.ts'
import { until } from '../../../tests/support/until.ts'

const needs = requires('sshd', 'tmux')
describe.skipIf(needs.skip)(needs.title('a host over ssh'), { timeout: 120_000 }, () => {
  let desk: TestHostService
  let remote: Remote
  beforeEach(async () => {
    remote = await startRemote()
    desk = await startHostService()
    return async () => {
      await desk.dispose()
      await remote.dispose()
    }
  })
  const add = (sshConfig: string) =>
    desk.service.add({ name: 'box', address: `ssh://${remote.sshd.host}`, sshConfig })

  it('answers to the person who added it, and is back after the network dropped it', async () => {
    add(remote.sshd.configFile)
    await desk.service.whenLive('box', 60_000)
    expect(desk.service.get('box')).toMatchObject({ role: 'user', state: { kind: 'live' } })
    const argv = desk.service.attachArgv('box', { session: 'ho-1' }, false)
    expect(argv.slice(0, 2)).toEqual(['ssh', '-tt'])
    expect(argv.slice(-5)).toEqual([
      '-F',
      remote.sshd.configFile,
      '--',
      remote.sshd.host,
      "tmux -u attach-session -t '=ho-1'",
    ])
    desk.forgetSeen()
    await remote.sshd.dropConnections()
    await until('it to be lost', () => desk.seen('box').includes('offline'))
    await desk.reaches('box', 'live', 60_000)
    expect(desk.service.get('box')?.role).toBe('user')
  })

  it('keeps its token when another name of the same machine is removed', async () => {
    add(remote.sshd.configFile)
    await desk.service.whenLive('box', 60_000)
    const second = { name: 'again', sshConfig: remote.sshd.configFile }
    desk.service.add({ ...second, address: `ssh://${remote.sshd.host}` })
    await desk.service.whenLive('again', 60_000)
    const names = desk.secrets.names()
    await desk.service.remove('again')
    desk.service.resync('box')
    await desk.reaches('box', 'connecting')
    await desk.service.whenLive('box', 60_000)
    expect(desk.service.get('box')?.role).toBe('user')
    expect(desk.secrets.names()).toEqual(names)
  })

  it('says what a person has to do about a key that is not known or not let in, and does not hang', async () => {
    add(await remote.sshConfig('strict', (text) => text.replace('accept-new', 'yes')))
    expect(await desk.reaches('box', 'offline', 30_000)).toMatchObject({
      error: { code: 'host_unreachable', hint: expect.stringMatching(/Connect once by hand.*ssh/) },
    })
    await desk.service.remove('box')
    await writeFile(path.join(path.dirname(remote.sshd.configFile), 'authorized_keys'), '')
    add(remote.sshd.configFile)
    expect(await desk.reaches('box', 'offline', 30_000)).toMatchObject({
      error: { hint: expect.stringMatching(/password/) },
    })
  })
})
