import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors.ts'
import {
  connectHost,
  type ConnectOptions,
  type HostConnection,
} from '../../shared/node/host-client/connection.ts'
import type { WireEvent } from '../../shared/protocol.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const open: { end(): Promise<void> }[] = []
const connections: HostConnection[] = []

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close()
  for (const one of open.splice(0)) await one.end()
})

async function start(options: Parameters<typeof startServer>[0] = {}) {
  const started = await startServer(options)
  open.push(started)
  return started
}

async function connect(options: ConnectOptions) {
  const connection = await connectHost(options)
  connections.push(connection)
  return connection
}

describe('a call', () => {
  it('is answered, without fields that the protocol does not name', async () => {
    const { client } = await start({
      handlers: { 'rule.preview': () => ({ pattern: 'npm test *', secret: 'x' }) },
    })
    const connection = await connect(client)
    expect(connection.welcome).toMatchObject({ role: 'reviewer', hostName: 'test', headSeq: 0 })
    expect(await connection.call('rule.preview', { ticket: 'abcd:1' })).toEqual({ pattern: 'npm test *' })
  })

  it('gets the error that the handler threw, and nothing of a bug but that there is one', async () => {
    const { client, logged } = await start({
      handlers: {
        'task.get': () => {
          throw new AppError({ code: 'disk_full', message: 'The disk is full.', hint: 'Free space.' })
        },
        'task.find': () => {
          throw new Error('secret path /x/y')
        },
      },
    })
    const connection = await connect(client)
    await expect(connection.call('task.get', { task: 'abcd' })).rejects.toMatchObject({
      code: 'disk_full',
      hint: 'Free space.',
    })
    const bug = connection.call('task.find', { ref: 'abcd' })
    await expect(bug).rejects.toMatchObject({ code: 'internal' })
    await expect(bug).rejects.not.toThrow(/secret/)
    expect(
      logged.some((line) => line.level === 'error' && String(Object(line.fields).err).includes('secret')),
    ).toBe(true)
  })
})

describe('events', () => {
  it('are replayed from a place and then come live', async () => {
    const { client, store } = await start()
    store.append('old', 600)
    const seen: WireEvent[] = []
    await connect({ ...client, resume: { fromSeq: 100 }, onEvents: (events) => void seen.push(...events) })
    await until('the replay', () => seen.length === 500)
    store.append('new', 3)
    await until('the live ones', () => seen.length === 503)
    expect(seen.map((event) => event.seq)).toEqual(Array.from({ length: 503 }, (_, index) => 101 + index))
  })
})
