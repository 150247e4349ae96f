import { rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hostForTest } from '../../../tests/support/agentd.ts'
import {
  memorySecrets,
  memorySink,
  startHostService,
  type TestHostService,
} from '../../../tests/support/host-service.ts'
import { until } from '../../../tests/support/until.ts'

let desk: TestHostService
beforeEach(async () => {
  desk = await startHostService()
  return () => desk.dispose()
})

const pidOf = async () => (await desk.service.call('local')('host.info', {})).pid

describe('the host of this machine', () => {
  it('is started, makes a token for the person at the first connection, and knows it the next time', async () => {
    await desk.service.whenLive('local', 30_000)
    expect(desk.seen('local')).toEqual(['starting', 'connecting', 'live'])
    expect(desk.service.get('local')).toMatchObject({ isLocal: true, role: 'user', address: 'local' })
    expect(desk.kept.kept('local')?.snapshots).toHaveLength(1)
    const { tokens } = await desk.service.call('local')('token.list', {})
    expect(tokens.map(({ role, name }) => ({ role, name }))).toEqual([
      { role: 'user', name: 'Desk on test-machine' },
    ])
    await desk.restart()
    await desk.service.whenLive('local', 10_000)
    expect(desk.service.get('local')?.role).toBe('user')
    expect((await desk.service.call('local')('token.list', {})).tokens).toHaveLength(1)
    expect(desk.problems).toEqual([])
  })

  it('is paired in the end when the desk ended before it had kept the token', async () => {
    await desk.dispose()
    const secrets = memorySecrets()
    let isKilled = true
    desk = await startHostService({
      secrets: {
        ...secrets,
        set(name, secret) {
          if (isKilled) throw new Error('the desk was killed here')
          secrets.set(name, secret)
        },
      },
    })
    await desk.service.whenLive('local', 30_000)
    // What went wrong keeps nobody from looking.
    expect(desk.service.get('local')?.role).toBe('reviewer')
    expect(secrets.names()).toEqual([])
    isKilled = false
    await desk.restart()
    await until('the desk to be the person', () => desk.service.get('local')?.role === 'user', {
      timeoutMs: 20_000,
    })
    expect(secrets.names()).toHaveLength(1)
    // The first one is nobody's.
    expect((await desk.service.call('local')('token.list', {})).tokens).toHaveLength(1)
  })

  it('takes back the token of a pairing that was cut off before its answer arrived, and no other', async () => {
    await desk.service.whenLive('local', 30_000)
    const call = desk.service.call('local')
    const create = async (name: string) => {
      const { nonce, sha256 } = await call('token.present', { role: 'user', name })
      return (await call('token.create', { role: 'user', name, typed: { nonce, sha256 } })).info.id
    }
    const { tokens: paired } = await call('token.list', {})
    const name = paired[0]?.name ?? ''
    const [older, left, others] = [await create(name), await create(name), await create('Phone')]
    const file = path.join(desk.home.root, 'desk/hosts.json')
    const known = JSON.parse(await readFile(file, 'utf8')) as { hosts: { local: Record<string, unknown> } }
    for (const secret of desk.secrets.names()) desk.secrets.remove(secret)
    const own = { id: paired[0]?.id, before: [older] }
    known.hosts.local = { ...known.hosts.local, tokens: { browser: own }, pairing: 'none' }
    await writeFile(file, JSON.stringify(known))
    await desk.restart()
    await until('the desk to be the person', () => desk.service.get('local')?.role === 'user', {
      timeoutMs: 20_000,
    })
    const ids = (await desk.service.call('local')('token.list', {})).tokens.map(({ id }) => id)
    // The one of before was this desk's, which has lost it.
    expect(ids).toHaveLength(3)
    expect(ids).toEqual(expect.arrayContaining([older, others]))
    expect(ids).not.toContain(left)
    expect(ids).not.toContain(paired[0]?.id)
    expect(await readFile(file, 'utf8')).not.toContain('before')
  })

  it('leaves the token of another desk of this home alone', async () => {
    await desk.service.whenLive('local', 30_000)
    const other = desk.beside({ shell: 'electron', secrets: memorySecrets(), sink: memorySink().sink })
    await other.whenLive('local', 10_000)
    expect(other.get('local')?.role).toBe('user')
    const tokens = async () => (await desk.service.call('local')('token.list', {})).tokens.map(({ id }) => id)
    const both = await tokens()
    expect(both).toHaveLength(2)
    // Either is paired anew, and only what it had itself is taken back.
    await other.pair('local')
    await until('one other token', async () => (await tokens()).some((id) => !both.includes(id)))
    const after = await tokens()
    expect(after).toHaveLength(2)
    expect(after.filter((id) => both.includes(id))).toHaveLength(1)
    await desk.reaches('local', 'live')
    expect(desk.service.get('local')?.role).toBe('user')
    await desk.restart()
    await desk.service.whenLive('local', 10_000)
    expect(desk.service.get('local')?.role).toBe('user')
    expect(await tokens()).toEqual(after)
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('is started again when it ended by %s', async (signal) => {
    await desk.service.whenLive('local', 30_000)
    const before = await pidOf()
    desk.forgetSeen()
    process.kill(before, signal)
    await until('another agentd', async () => (await pidOf()) !== before, { timeoutMs: 30_000 })
    await desk.reaches('local', 'live')
    expect(desk.seen('local')[0]).toBe('offline')
    expect(desk.service.get('local')?.role).toBe('user')
  })

  it('forgets a token that was revoked, goes on as reviewer, and pairs again only when asked', async () => {
    await desk.service.whenLive('local', 30_000)
    const [token] = (await desk.service.call('local')('token.list', {})).tokens
    await desk.service
      .call('local')('token.revoke', { token: token?.id ?? '' })
      .catch(() => undefined)
    await until('the desk to be a reviewer', () => desk.service.get('local')?.role === 'reviewer')
    await desk.reaches('local', 'live')
    expect(desk.secrets.names()).toEqual([])
    await desk.restart()
    await desk.service.whenLive('local', 10_000)
    expect(desk.service.get('local')?.role).toBe('reviewer')
    await desk.service.pair('local')
    await until('the desk to be the person again', () => desk.service.get('local')?.role === 'user')
  })

  it('begins anew when its database was made anew', async () => {
    await desk.service.whenLive('local', 30_000)
    const { pid, hostId } = await desk.service.call('local')('host.info', {})
    const gone = ['', '-wal', '-shm'].map((end) => `${desk.home.database}${end}`)
    process.kill(pid, 'SIGKILL')
    for (const file of gone) rmSync(file, { force: true })
    await until('another host', () => desk.kept.kept('local')?.hostId !== hostId, { timeoutMs: 30_000 })
    await desk.reaches('local', 'live')
    await until('the person', () => desk.service.get('local')?.role === 'user')
  })
})

describe('a home that agentd cannot use', () => {
  it('is said, and tried again, when nothing can be written there', async () => {
    await desk.service.whenLive('local', 30_000)
    const { logs } = desk.home
    const pid = await pidOf()
    rmSync(logs, { recursive: true })
    await writeFile(logs, 'not a folder')
    process.kill(pid, 'SIGKILL')
    const error = await until(
      'the reason',
      () => {
        const state = desk.stateOf('local')
        return state?.kind === 'offline' && state.error.code === 'agentd_not_running'
          ? state.error
          : undefined
      },
      { timeoutMs: 30_000 },
    )
    expect(error.hint).toContain(logs)
    rmSync(logs)
    desk.service.wake('local')
    await desk.reaches('local', 'live')
  })

  it('leaves the host offline with the reason, does not start it over and over, and tries when told', async () => {
    await desk.service.whenLive('local', 30_000)
    const { pid } = await desk.service.call('local')('host.info', {})
    const db = new Database(desk.home.database)
    const version = Number(db.pragma('user_version', { simple: true }))
    db.pragma('user_version = 9999')
    db.close()
    process.kill(pid, 'SIGKILL')
    const state = await until(
      'the reason',
      () => {
        const now = desk.stateOf('local')
        return now?.kind === 'offline' && now.error.code === 'agentd_not_running' ? now : undefined
      },
      { timeoutMs: 30_000 },
    )
    expect(state.error.details).toMatchObject({ reason: 'database_newer' })
    const log = () => readFile(path.join(desk.home.logs, 'agentd.log'), 'utf8')
    const before = await log()
    const later = performance.now() + 1_000
    await until('the time of some retries to pass', () => performance.now() > later)
    expect(await log()).toBe(before)
    const again = new Database(desk.home.database)
    again.pragma(`user_version = ${version}`)
    again.close()
    desk.service.wake('local')
    await desk.reaches('local', 'live')
  })
})

describe('another host', () => {
  it('is reached by its socket, followed when the command line changes the list, and forgotten whole', async () => {
    const { host } = await hostForTest()
    const { kind } = desk.service.add({ name: 'box', address: `unix://${host.socket}` }).state
    expect(kind).toBe('connecting')
    await desk.service.whenLive('box', 20_000)
    expect(desk.service.get('box')).toMatchObject({ role: 'user', isLocal: false })
    expect(desk.service.attachArgv('box', { session: 'ho-1', socketDir: '/t/x' }, true)).toEqual([
      'env',
      '-u',
      'TMUX',
      'TMUX_TMPDIR=/t/x',
      'tmux',
      '-u',
      'attach-session',
      '-r',
      '-t',
      '=ho-1',
    ])
    await desk.service.remove('box')
    expect(desk.service.get('box')).toBeUndefined()
    const connection = await host.connect()
    onTestFinished(() => connection.close())
    await until(
      'the token to be revoked',
      async () => (await connection.call('token.list', {})).tokens.length === 0,
    )
    expect(desk.secrets.names().filter((name) => name.includes(connection.welcome.hostId))).toEqual([])

    // Added by the command line: nobody asked the desk to be the person there.
    desk.store.add({ name: 'other', address: `unix://${host.socket}` })
    await until('the desk to notice', () => desk.service.get('other'))
    await desk.service.whenLive('other', 20_000)
    expect(desk.service.get('other')?.role).toBe('reviewer')
    desk.store.remove('other')
    await until('the desk to notice', () => desk.service.get('other') === undefined)
  })

  it('is never gone while it begins anew because it is reached otherwise', async () => {
    const { host } = await hostForTest()
    desk.service.add({ name: 'box', address: `unix://${host.socket}` })
    await desk.service.whenLive('box', 20_000)
    const gone: string[] = []
    const stop = desk.service.onChange((name) => {
      if (desk.service.get(name) === undefined) gone.push(name)
    })
    onTestFinished(() => void stop())
    desk.store.change('box', { remoteCommand: '~/.handoff/bin/handoff dial-stdio' })
    desk.service.reload()
    expect(desk.service.get('box')?.state.kind).toBe('connecting')
    await desk.service.whenLive('box', 20_000)
    expect(gone).toEqual([])
  })

  it('is refused when its address or name cannot be used', async () => {
    const add = (name: string, address: string) => () => desk.service.add({ name, address })
    expect(add('x', 'http://x')).toThrow(
      expect.objectContaining({ code: 'bad_request', hint: expect.anything() }),
    )
    expect(add('local', 'ssh://x')).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(add('x', 'local')).toThrow(expect.objectContaining({ code: 'bad_request' }))
    add('x', 'unix:///nowhere')()
    expect(add('x', 'ssh://y')).toThrow(expect.objectContaining({ code: 'host_name_taken' }))
    expect(() => desk.service.call('nobody')).toThrow(expect.objectContaining({ code: 'host_unknown' }))
    await expect(desk.service.whenLive('x', 300)).rejects.toMatchObject({ code: 'timeout' })
  })

  it('stays in the list while hosts.json is damaged', async () => {
    desk.service.add({ name: 'x', address: 'unix:///nowhere' })
    await writeFile(path.join(desk.home.root, 'hosts.json'), '{')
    await until('the problem', () => desk.problems.length > 0)
    expect(desk.service.get('x')).toBeDefined()
  })
})

it('ends within a second, whatever is under way', async () => {
  desk.service.add({ name: 'silent', address: 'ws://10.255.255.1:7433', token: 'abcdefgh' })
  const startedAt = performance.now()
  await desk.service.dispose()
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
