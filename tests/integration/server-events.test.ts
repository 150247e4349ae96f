import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import { connectHost, type ConnectOptions } from '../../shared/node/host-client/connection.ts'
import type { Snapshot } from '../../shared/node/host-client/snapshot-reader.ts'
import { eventMark, type WireEvent } from '../../shared/protocol/records.ts'
import { createMemoryStore } from '../support/server.ts'
import { serversForTest } from '../support/servers-for-test.ts'
import { until } from '../support/until.ts'

const { start, connections } = serversForTest()

/** A connection that keeps what it hears, snapshot and events, in the order in which it came. */
async function listen(options: ConnectOptions) {
  const heard: (Snapshot | number)[] = []
  const connection = await connectHost({
    ...options,
    onEvents: (events) => void heard.push(...events.map((event) => event.seq)),
    onSnapshot: (snapshot) => void heard.push(snapshot),
  })
  connections.push(connection)
  return { connection, heard, seqs: () => heard.filter((one) => typeof one === 'number') }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

function sampleTask(ended: boolean): Task {
  const by = { kind: 'agentd' as const }
  return {
    id: randomUUID(),
    title: 'Sample',
    state: ended ? 'completed' : 'running',
    executor: 'demo',
    repo: { kind: 'path', path: '/repo', name: 'repo' },
    worktree: '/worktree',
    inPlace: false,
    branch: 'handoff/sample',
    base: 'a'.repeat(40),
    round: 1,
    dispatchedBy: by,
    createdAt: 1,
    updatedAt: 1,
    ...(ended ? { endedAt: 2 } : {}),
    openTickets: 0,
    lastSeq: 0,
  }
}

function sampleTicket(taskId: string): Ticket {
  return {
    id: `${taskId}:q1`,
    taskId,
    ask: { kind: 'question', text: 'Which?', topic: 'technical', options: [], multiple: false },
    audience: 'reviewer',
    state: 'open',
    openedAt: 1,
    openedSeq: 1,
  }
}

describe('a resumed consumer', () => {
  it('goes on after the place it names, without a gap or a repeat', async () => {
    const { client, store } = await start()
    store.append('x', 1_000)
    const { seqs } = await listen({ ...client, resume: { fromSeq: 300 } })
    for (let index = 0; index < 50; index += 1) store.append('y', 2)
    await until('all', () => seqs().length === 800)
    expect(seqs()).toEqual(range(301, 1_100))
  })

  it('goes on after what it acknowledged when it names no place', async () => {
    const { client, store } = await start({ limits: { ackDelayMs: 1 } })
    store.append('x', 20)
    const first = await listen({ ...client, resume: { fromSeq: 0 } })
    await until('twenty', () => first.seqs().length === 20)
    first.connection.ack(15)
    await until('the cursor', () => store.cursorOf.get('tester') === 15)
    const second = await listen({ ...client, resume: {} })
    await until('the rest', () => second.seqs().length === 5)
    expect(second.heard).toEqual(range(16, 20))
  })

  it('keeps its acknowledgement also when it leaves at once', async () => {
    const { client, store } = await start({ limits: { ackDelayMs: 60_000 } })
    store.append('x', 3)
    const { connection, seqs } = await listen({ ...client, resume: { fromSeq: 0 } })
    await until('three', () => seqs().length === 3)
    connection.ack(3)
    connection.close()
    await until('the cursor', () => store.cursorOf.get('tester') === 3)
  })

  it('cannot acknowledge what it was not sent', async () => {
    const { client, store } = await start({ limits: { ackDelayMs: 1 } })
    store.append('x', 3)
    const { connection, seqs } = await listen({ ...client, resume: { fromSeq: 0 } })
    await until('three', () => seqs().length === 3)
    connection.ack(4)
    connection.ack(2)
    await until('the cursor', () => store.cursorOf.get('tester') === 2)
  })
})

const markOf = ({ rows }: ReturnType<typeof createMemoryStore>, seq: number) =>
  eventMark(JSON.parse(rows[seq - 1]?.json ?? '') as WireEvent)

describe('a snapshot', () => {
  it.each([
    ['whose cursor is unknown', {}, 1],
    ['whose place is older than what is kept', { fromSeq: 10 }, 50],
    ['whose place is ahead, as after a restored backup', { fromSeq: 9_999 }, 1],
  ])('goes to a consumer %s, and live events follow it', async (_name, resume, completeFromSeq) => {
    const { client, store } = await start()
    store.state.tasks = [sampleTask(false), sampleTask(true)]
    store.state.tickets = [sampleTicket(store.state.tasks[0]?.id ?? '')]
    store.state.completeFromSeq = completeFromSeq
    store.append('x', 100)
    const { heard } = await listen({ ...client, resume })
    await until('the snapshot', () => heard.length > 0)
    store.append('live', 2)
    await until('live events', () => heard.length === 3)
    expect(heard).toEqual([
      { headSeq: 100, tasks: store.state.tasks, tickets: store.state.tickets, mark: markOf(store, 100) },
      101,
      102,
    ])
  })

  it('comes in parts and loses nothing that happens meanwhile', async () => {
    const { client, store } = await start({ limits: { outboundHighBytes: 64 * 1024 } })
    store.state.tasks = Array.from({ length: 3_000 }, (_, index) => sampleTask(index >= 1_200))
    store.append('x', 10)
    const listening = listen({ ...client, resume: {} })
    const timer = setInterval(() => store.append('meanwhile'), 1)
    const { heard, seqs } = await listening
    await until('live events', () => seqs().length > 20)
    clearInterval(timer)
    const snapshot = heard[0] as Snapshot
    expect(snapshot.tasks).toHaveLength(3_000)
    expect(new Set(snapshot.tasks.map((task) => task.id)).size).toBe(3_000)
    expect(seqs()).toEqual(range(snapshot.headSeq + 1, snapshot.headSeq + seqs().length))
  })
})

it('reaches every one of many clients', async () => {
  const { client, store } = await start()
  const all = await Promise.all(
    range(1, 100).map((index) => listen({ ...client, clientId: `c${index}`, resume: { fromSeq: 0 } })),
  )
  for (let index = 0; index < 20; index += 1) {
    store.append('x', 3)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until('everybody', () => all.every(({ seqs }) => seqs().length === 60))
  for (const { seqs } of all) expect(seqs()).toEqual(range(1, 60))
})

describe('a client that does not read', () => {
  /** A client on a raw socket, which can stop reading. */
  async function deaf(socketPath: string) {
    const raw = net.connect(socketPath)
    const ws = new WebSocket('ws://localhost', { createConnection: () => raw })
    await new Promise((resolve) => ws.on('open', resolve))
    const hello = {
      t: 'hello',
      protocol: 1,
      clientId: 'deaf',
      kind: 'test',
      name: '',
      version: '',
      capabilities: [],
    }
    ws.send(JSON.stringify({ ...hello, resume: { fromSeq: 0 } }))
    await new Promise((resolve) => ws.once('message', resolve))
    raw.pause()
    return { ws, raw }
  }

  it('is given no more than fits, and the rest when it reads again', async () => {
    const base = createMemoryStore()
    let highest = 0
    const store = {
      ...base,
      events: {
        ...base.events,
        after(seq: number, limit: number) {
          highest = Math.max(highest, seq)
          return base.events.after(seq, limit)
        },
      },
    }
    const started = await start({ store })
    const { ws, raw } = await deaf(started.socketPath)
    const seen: number[] = []
    ws.on('message', (data) => {
      const message = JSON.parse(String(data)) as { t: string; events?: { seq: number }[] }
      seen.push(...(message.events ?? []).map((event) => event.seq))
    })
    const text = 'x'.repeat(2_000)
    for (let index = 0; index < 200; index += 1) {
      store.append(text, 50)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(highest).toBeLessThan(4_000)
    raw.resume()
    await until('all', () => seen.length === 10_000)
    expect(seen).toEqual(range(1, 10_000))
    ws.terminate()
  })

  it('gets a snapshot when what it missed has been removed meanwhile', async () => {
    const started = await start()
    const { store } = started
    const { ws, raw } = await deaf(started.socketPath)
    const seen: (number | 'snapshot')[] = []
    ws.on('message', (data) => {
      const message = JSON.parse(String(data)) as { t: string; headSeq?: number; events?: { seq: number }[] }
      if (message.t === 'snapshot') seen.push('snapshot')
      seen.push(...(message.events ?? []).map((event) => event.seq))
    })
    store.append('x'.repeat(2_000), 5_000)
    store.state.completeFromSeq = 4_990
    raw.resume()
    await until('the snapshot', () => seen.includes('snapshot'))
    store.append('y')
    await until('the newest', () => seen.at(-1) === 5_001)
    const at = seen.indexOf('snapshot')
    expect(at).toBeLessThan(4_000)
    expect(seen).toEqual([...range(1, at), 'snapshot', 5_001])
    ws.terminate()
  })

  it('is closed when it takes nothing for too long', async () => {
    const started = await start({ limits: { drainTimeoutMs: 200 } })
    const { ws } = await deaf(started.socketPath)
    started.store.append('x'.repeat(2_000), 3_000)
    await until('it to be closed', () => started.server.connectionCount() === 0)
    ws.terminate()
  })
})

it('ends a connection whose events cannot be read, and serves it when they can again', async () => {
  const { client, store, server } = await start()
  store.append('x', 5)
  const first = await listen({ ...client, resume: { fromSeq: 0 } })
  await until('five', () => first.seqs().length === 5)
  store.state.broken = new AppError({ code: 'database_locked', message: 'The database is locked.' })
  store.append('y')
  expect(await first.connection.closed).toMatchObject({ kind: 'lost', error: { code: 'connection_lost' } })
  await until('it to be forgotten', () => server.connectionCount() === 0)
  store.state.broken = undefined
  const second = await listen({ ...client, resume: { fromSeq: 5 } })
  await until('the sixth', () => second.seqs().length === 1)
})
