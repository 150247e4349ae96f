import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { memorySecrets, memorySink } from '../../../tests/support/host-service.ts'
import { serversForTest } from '../../../tests/support/servers-for-test.ts'
import { startTcpProxy } from '../../../tests/support/tcp-proxy.ts'
import { until } from '../../../tests/support/until.ts'
import type { HostAddress } from '../../../shared/node/host-client/address.ts'
import type { HostState } from '../../../shared/ipc/views.ts'
import type { HostRecord } from './host-records.ts'
import { createHostTokens } from './host-tokens.ts'
import { createSupervisor, type Supervisor, type SupervisorNeeds } from './supervisor.ts'

const { start, open } = serversForTest()
const supervisors: Supervisor[] = []
afterEach(async () => {
  for (const supervisor of supervisors.splice(0)) await supervisor.dispose()
})

const HEARTBEAT_MS = 120
const quick = { firstMs: 5, maxMs: 40 }
const at = (port: number): HostAddress => ({ kind: 'ws', host: '127.0.0.1', port, secure: false })

/** Supervises an address and writes down what is seen of it. */
function supervise(
  address: HostAddress,
  more: Partial<SupervisorNeeds> & { token?: string | undefined } = {},
) {
  const secrets = memorySecrets()
  const tokens = createHostTokens({
    secrets,
    store: { token: () => more.token, forgetToken: () => undefined },
  })
  const sink = memorySink()
  let record: HostRecord = { address: 'here', pairing: 'none', tokens: {} }
  const seen: HostState['kind'][] = []
  const problems: unknown[] = []
  const notices: string[] = []
  const needs: SupervisorNeeds = {
    name: 'box',
    address,
    localSocketPath: '/nowhere',
    ssh: undefined,
    client: { clientId: 'desk-test', name: 'desk', version: '0.1.0', machineName: 'test' },
    sink: sink.sink,
    tokens,
    shell: 'browser',
    record: { get: () => record, change: (patch) => (record = { ...record, ...patch }) },
    local: undefined,
    onChange: () => {
      const kind = supervisor?.state().kind
      if (kind !== undefined && seen.at(-1) !== kind) seen.push(kind)
    },
    onNotice: ({ code }) => notices.push(code),
    onProblem: (error) => problems.push(error),
    backoff: quick,
    heartbeatMs: undefined,
    ...more,
  }
  let supervisor: Supervisor | undefined = undefined as Supervisor | undefined
  const made = createSupervisor(needs)
  supervisor = made
  supervisors.push(made)
  return {
    supervisor: made,
    tokens,
    sink,
    seen,
    problems,
    notices,
    record: () => record,
    becomes: (kind: HostState['kind']) =>
      until(kind, () => (made.state().kind === kind ? made.state() : undefined)).catch((error: unknown) => {
        throw new Error(`${String(error)} ${JSON.stringify(made.state())} ${problems.map(String).join()}`)
      }),
  }
}

async function startTcp(limits = {}) {
  const started = await start({ limits })
  const tcp = await started.server.listenTcp({ address: { host: '127.0.0.1', port: 0 }, yesPublic: false })
  const { token, info } = started.tokens.create({ name: 'desk', role: 'user' })
  return { ...started, port: tcp.port, token, tokenId: info.id }
}

async function proxyTo(port: number) {
  const proxy = await startTcpProxy(port)
  open.push({ end: () => proxy.dispose() })
  return proxy
}

describe('a host reached by ws:// with a token', () => {
  it('begins with a snapshot, goes on where it was after a cut, and keeps count since when it was away', async () => {
    const host = await startTcp()
    host.store.append('x', 3)
    const proxy = await proxyTo(host.port)
    const box = supervise(at(proxy.port), { token: host.token })
    await box.becomes('live')
    expect(box.seen.at(-1)).toBe('live')
    expect(box.supervisor.welcome()?.role).toBe('user')
    expect(box.sink.kept('box')).toMatchObject({ place: 3, snapshots: [{ headSeq: 3 }] })
    await until('the place to be told to the host', () => [...host.store.cursorOf.values()].includes(3))

    proxy.cut()
    const first = await box.becomes('offline')
    host.store.append('y', 2)
    await until('more tries', () => {
      const state = box.supervisor.state()
      return state.kind === 'offline' && state.error.code === 'connection_lost'
        ? false
        : state.kind === 'offline'
    })
    expect(box.supervisor.state()).toMatchObject({ since: first.kind === 'offline' && first.since })
    proxy.mend()
    await box.becomes('live')
    expect(box.sink.kept('box')?.seqs).toEqual([4, 5])
    expect(box.seen).not.toContain('connecting')
  })

  it.each([
    ['a character that cannot be seen', 'hnd_abc\u200b'],
    ['words', 'my 令牌'],
    ['two lines', 'hnd_a\nhnd_b'],
  ])('is refused when what was pasted as the token has %s', async (_, token) => {
    const host = await startTcp()
    const box = supervise(at(host.port), { token })
    expect(await box.becomes('refused')).toMatchObject({ error: { code: 'unauthorized' } })
    box.tokens.keepGiven('box', host.token)
    box.supervisor.reconnect()
    await box.becomes('live')
    expect(box.problems).toEqual([])
  })

  it('is refused with a wrong token, and connects with the right one', async () => {
    const host = await startTcp()
    const box = supervise(at(host.port), { token: 'wrong-token' })
    expect(await box.becomes('refused')).toMatchObject({
      error: { code: 'unauthorized', hint: expect.anything() },
    })
    box.tokens.keepGiven('box', host.token)
    box.supervisor.reconnect()
    await box.becomes('live')
    host.tokens.revoke(host.tokenId)
    await box.becomes('refused')
    await expect(box.supervisor.pair()).rejects.toMatchObject({ code: 'needs_token' })
  })

  it('is offline within two heartbeats when its line goes silent, and is there again with the line', async () => {
    const host = await startTcp({ heartbeatMs: HEARTBEAT_MS })
    const proxy = await proxyTo(host.port)
    const box = supervise(at(proxy.port), { token: host.token, heartbeatMs: HEARTBEAT_MS })
    await box.becomes('live')
    // Counted and not timed: on a machine that is busy all timers of this thread are late alike.
    let quarters = 0
    const timer = setInterval(() => (quarters += 1), HEARTBEAT_MS / 4)
    onTestFinished(() => clearInterval(timer))
    proxy.freeze()
    await box.becomes('offline')
    // Two heartbeats, and what it takes to look.
    expect(quarters).toBeLessThanOrEqual(8 + 2)
    proxy.mend()
    box.supervisor.wake()
    await box.becomes('live')
  })

  it('is asked for a sign of life at waking up, and lives when it gives one', async () => {
    const host = await startTcp()
    const proxy = await proxyTo(host.port)
    const box = supervise(at(proxy.port), { token: host.token })
    await box.becomes('live')
    box.supervisor.wake()
    await box.supervisor.call('token.list', {}).catch(() => undefined)
    expect(box.supervisor.state().kind).toBe('live')
    proxy.freeze()
    box.supervisor.wake()
    await until('the silence to be noticed', () => box.supervisor.state().kind !== 'live')
  })

  it('is tried at once at waking up, however long the next try is away', async () => {
    const host = await startTcp()
    const proxy = await proxyTo(host.port)
    proxy.cut()
    const slow = { firstMs: 600_000, maxMs: 600_000 }
    const box = supervise(at(proxy.port), { token: host.token, backoff: slow })
    expect(await box.becomes('offline')).toMatchObject({ retryAt: expect.any(Number) })
    proxy.mend()
    box.supervisor.wake()
    await box.becomes('live')
  })
})

describe('somebody else at the address', () => {
  it('is not believed: another host is refused, and nothing of it is kept', async () => {
    const first = await startTcp()
    const other = await startTcp()
    other.store.append('x', 5)
    const known: HostRecord = { address: 'here', pairing: 'none', tokens: {}, hostId: first.hostId }
    const box = supervise(at(other.port), {
      token: other.token,
      record: { get: () => known, change: () => known },
    })
    expect(await box.becomes('refused')).toMatchObject({ error: { code: 'host_unknown' } })
    expect(box.sink.kept('box')).toBeUndefined()
  })

  it.each([
    [{ host: 0, client: 1 }, 'host_older'],
    [{ host: 2, client: 1 }, 'host_newer'],
    [undefined, 'unknown'],
  ] as const)('speaks another version of the protocol: %o', async (details, which) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    open.push({ end: () => new Promise((resolve) => server.close(() => resolve())) })
    const error = { code: 'protocol_mismatch', message: 'Another version.', details }
    server.on('connection', (ws) => ws.on('message', () => ws.send(JSON.stringify({ t: 'refused', error }))))
    await new Promise((resolve) => server.on('listening', resolve))
    const box = supervise(at((server.address() as AddressInfo).port), { token: 'x' })
    expect(await box.becomes('version')).toMatchObject({ which, error: { code: 'protocol_mismatch' } })
  })
})

describe('what a host tells', () => {
  it('is asked for again when it could not be kept', async () => {
    const host = await startTcp()
    const box = supervise(at(host.port), { token: host.token })
    await box.becomes('live')
    box.sink.breakWith(new Error('the disk is full'))
    host.store.append('x', 2)
    await box.becomes('offline')
    expect(box.problems).toHaveLength(1)
    box.sink.breakWith(undefined)
    box.supervisor.wake()
    await box.becomes('live')
    expect(box.sink.kept('box')?.seqs).toEqual([1, 2])
  })

  it('makes the host live only when the newest event is here', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    open.push({ end: () => new Promise((resolve) => server.close(() => resolve())) })
    const tell = { rest: (): void => undefined }
    server.on('connection', (ws) =>
      ws.on('message', (data) => {
        if ((JSON.parse(String(data)) as { t: string }).t !== 'hello') return
        const say = (message: object) => ws.send(JSON.stringify(message))
        const who = {
          hostId: randomUUID(),
          hostName: 'slow',
          version: '0',
          capabilities: [],
          role: 'reviewer',
        }
        say({ t: 'welcome', protocol: 1, headSeq: 5, ...who })
        say({ t: 'snapshot', headSeq: 3, tasks: [], tickets: [], last: true })
        const event = (seq: number) => ({ seq, taskId: 't', at: 0, type: 'progress', body: {} })
        tell.rest = () => say({ t: 'events', events: [event(4), event(5)] })
      }),
    )
    await new Promise((resolve) => server.on('listening', resolve))
    const box = supervise(at((server.address() as AddressInfo).port), { token: 'x' })
    expect(await box.becomes('catching_up')).toEqual({ kind: 'catching_up', behind: 2 })
    tell.rest()
    await box.becomes('live')
    expect(box.seen).toEqual(['catching_up', 'live'])
  })

  it('reaches people when it is a notice', async () => {
    const host = await startTcp()
    const box = supervise(at(host.port), { token: host.token })
    await box.becomes('live')
    host.presence.tellPeople('user_token_created', 'A token')
    await until('the notice', () => box.notices.includes('user_token_created'))
  })

  it('does not count while the host is held, and the host is back when it is let go', async () => {
    const host = await startTcp()
    const box = supervise(at(host.port), { token: host.token })
    await box.becomes('live')
    const release = box.supervisor.hold()
    await until('the connection to end', () => host.server.connectionCount() === 0)
    box.supervisor.wake()
    expect(box.supervisor.state().kind).toBe('connecting')
    await expect(box.supervisor.call('token.list', {})).rejects.toMatchObject({ code: 'connection_lost' })
    release()
    await box.becomes('live')
  })
})

it('drops what it kept of another machine when the sink says so, and begins with a snapshot', async () => {
  const host = await startTcp()
  host.store.append('x', 4)
  const sink = memorySink()
  sink.sink.onWelcome('box', randomUUID())
  sink.sink.onEvents('box', [{ seq: 2, taskId: 't', at: 0, type: 'progress', body: {} }])
  const box = supervise(at(host.port), { token: host.token, sink: sink.sink })
  await box.becomes('live')
  expect(sink.kept('box')).toMatchObject({
    hostId: host.hostId,
    place: 4,
    seqs: [],
    snapshots: [{ headSeq: 4 }],
  })
})
