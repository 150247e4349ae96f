import Database from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createServer } from '../../agentd/server/server.ts'
import { createPresence } from '../../agentd/server/presence.ts'
import { createTokens } from '../../agentd/server/tokens.ts'
import { openStore } from '../../agentd/store/open-store.ts'
import { createFactLog } from '../../agentd/tasks/fact-log.ts'
import type { Task } from '../../shared/domain/task.ts'
import { connectHost } from '../../shared/node/host-client/connection.ts'
import type { Snapshot } from '../../shared/node/host-client/snapshot-reader.ts'
import { someHandlers } from '../support/server.ts'
import { createTempDir } from '../support/temp.ts'
import { until } from '../support/until.ts'

const disposals: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose()
})

function sampleTask(): Task {
  return {
    id: randomUUID(),
    title: 'Sample',
    state: 'running',
    executor: 'demo',
    repo: { kind: 'path', path: '/repo', name: 'repo' },
    worktree: '/worktree',
    inPlace: false,
    branch: 'handoff/sample',
    base: 'a'.repeat(40),
    round: 1,
    dispatchedBy: { kind: 'agentd' },
    createdAt: 1,
    updatedAt: 1,
    openTickets: 0,
    lastSeq: 0,
  }
}

/** A server over the real database. */
async function start() {
  const folder = await createTempDir('server-store-')
  disposals.push(() => folder.dispose())
  const databasePath = path.join(folder.path, 'handoff.db')
  const store = openStore({ path: databasePath, busyTimeoutMs: 50 })
  disposals.push(() => store.close())
  const facts = createFactLog({ store, now: Date.now })
  const presence = createPresence()
  const tokens = createTokens({ store: store.tokens, closeConnections: presence.closeToken, now: Date.now })
  const task = sampleTask()
  store.transaction(() =>
    store.tasks.insert(task, {
      plan: 'plan',
      model: undefined,
      keepWorktree: false,
      adapterState: {},
      cleaned: false,
      stopRequested: false,
    }),
  )
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const server = createServer({
    handlers: someHandlers({
      'token.create': ({ name, role }: { name: string; role: 'observer' }) =>
        store.transaction(() => tokens.create({ name, role })),
      'task.find': () => ({ tasks: store.tasks.open() }),
    }),
    store,
    feed: facts,
    tokens,
    presence,
    host: { hostId: store.meta.hostId(), name: 'test', version: '0' },
    now: Date.now,
    log,
    limits: { ackDelayMs: 1 },
  })
  const socketPath = path.join(folder.path, 'run', 'agentd.sock')
  await server.listenUnix(socketPath)
  disposals.push(() => server.stop())
  const address = { kind: 'unix' as const, path: socketPath }
  const client = { address, clientId: 'tester', kind: 'test' as const, name: 'tester', version: '0' }
  const progress = (text: string) => facts.apply(task.id, { type: 'progress', body: { kind: 'text', text } })
  return { store, task, client, databasePath, progress }
}

it('sends a snapshot to a new consumer, then every fact as it is committed, and remembers the consumer', async () => {
  const { store, task, client, progress } = await start()
  progress('one')
  const snapshots: Snapshot[] = []
  const seen: number[] = []
  const options = {
    ...client,
    resume: {},
    onSnapshot: (snapshot: Snapshot) => void snapshots.push(snapshot),
    onEvents: (events: { seq: number }[]) => void seen.push(...events.map((event) => event.seq)),
  }
  const first = await connectHost(options)
  await until('the snapshot', () => snapshots.length === 1)
  expect(snapshots[0]).toMatchObject({ headSeq: 1, tasks: [{ id: task.id, lastSeq: 1 }], tickets: [] })
  progress('two')
  progress('three')
  await until('both', () => seen.length === 2)
  first.ack(2)
  await until('the cursor', () => store.cursors.get('tester')?.all === 2)
  first.close()
  await first.closed
  progress('four')
  const second = await connectHost(options)
  await until('the rest', () => seen.length === 4)
  expect(seen).toEqual([2, 3, 3, 4])
  expect(snapshots).toHaveLength(1)
  second.close()
})

it('replays a whole history that was never cut', async () => {
  const { client, progress } = await start()
  for (let index = 0; index < 300; index += 1) progress(`p${index}`)
  const seen: number[] = []
  const connection = await connectHost({
    ...client,
    resume: { fromSeq: 0 },
    onSnapshot: () => void seen.push(-1),
    onEvents: (events) => void seen.push(...events.map((event) => event.seq)),
  })
  await until('all', () => seen.length === 300)
  expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  connection.close()
})

it('says that the database is locked, and serves when it no longer is', async () => {
  const { client, databasePath } = await start()
  const connection = await connectHost(client)
  const other = new Database(databasePath)
  disposals.push(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const create = () => connection.call('token.create', { role: 'observer', name: 'x' })
  await expect(create()).rejects.toMatchObject({ code: 'database_locked', hint: expect.any(String) })
  expect((await connection.call('task.find', { ref: 'ab' })).tasks).toHaveLength(1)
  other.exec('ROLLBACK')
  expect(await create()).toMatchObject({ info: { name: 'x' } })
  connection.close()
})
