import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { connectHost, type ConnectOptions } from '../../shared/node/host-client/connection.ts'
import { CHUNK_BYTES } from '../../shared/protocol/call-spec.ts'

const servers: WebSocketServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const ws of server.clients) ws.terminate()
    server.close()
  }
})

const welcome = {
  t: 'welcome',
  protocol: 1,
  hostId: randomUUID(),
  hostName: 'false',
  version: '0',
  capabilities: [],
  role: 'reviewer',
  headSeq: 0,
}

/** A host that says welcome and then whatever `afterwards` makes of what it hears. */
async function falseHost(afterwards: (ws: WebSocket, message: { t: string; id: number }) => void) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  servers.push(server)
  server.on('connection', (ws) =>
    ws.on('message', (data) => {
      const message = JSON.parse(String(data)) as { t: string; id: number }
      if (message.t === 'hello') ws.send(JSON.stringify(welcome))
      afterwards(ws, message)
    }),
  )
  await new Promise((resolve) => server.on('listening', resolve))
  const { port } = server.address() as AddressInfo
  const client: ConnectOptions = {
    address: { kind: 'ws', host: '127.0.0.1', port, secure: false },
    clientId: 'tester',
    kind: 'test',
    name: 'tester',
    version: '0',
  }
  return client
}

it.each([
  ['no JSON', 'nonsense'],
  ['binary data', Buffer.from('{}')],
  ['an event without its number', '{"t":"events","events":[{"taskId":"x"}]}'],
  ['a task that is none', '{"t":"snapshot","headSeq":1,"tasks":[{}],"tickets":[],"last":true}'],
  ['a message without a type', '{}'],
])('ends the connection with a host that sends %s', async (_name, frame) => {
  const client = await falseHost((ws, message) => {
    if (message.t === 'call') ws.send(frame)
  })
  const connection = await connectHost(client)
  const call = expect(connection.call('task.find', { ref: 'ab' })).rejects.toMatchObject({
    code: 'connection_lost',
  })
  expect(await connection.closed).toMatchObject({ kind: 'lost', error: { code: 'connection_lost' } })
  await call
})

it('passes over kinds of messages that only a newer host knows', async () => {
  const client = await falseHost((ws, message) => {
    if (message.t !== 'call') return
    ws.send('{"t":"weather","sunny":true}')
    ws.send(JSON.stringify({ t: 'result', id: message.id, ok: true, value: { tasks: [], more: 1 } }))
  })
  const connection = await connectHost(client)
  expect(await connection.call('task.find', { ref: 'ab' })).toEqual({ tasks: [] })
  connection.close()
})

it('refuses an answer that is not what the call promises, and goes on', async () => {
  const client = await falseHost((ws, message) => {
    if (message.t !== 'call') return
    const value = message.id === 1 ? { tasks: 'many' } : { tasks: [] }
    ws.send(JSON.stringify({ t: 'result', id: message.id, ok: true, value }))
    ws.send(JSON.stringify({ t: 'result', id: 999, ok: true, value }))
  })
  const connection = await connectHost(client)
  await expect(connection.call('task.find', { ref: 'ab' })).rejects.toMatchObject({ code: 'internal' })
  expect(await connection.call('task.find', { ref: 'ab' })).toEqual({ tasks: [] })
  connection.close()
})

it('ends the connection with a host that sends more than was granted', async () => {
  const data = Buffer.alloc(CHUNK_BYTES).toString('base64')
  const client = await falseHost((ws, message) => {
    for (let index = 0; message.t === 'call' && index < 50; index += 1)
      ws.send(JSON.stringify({ t: 'chunk', id: message.id, data, channel: 'bytes' }))
  })
  const connection = await connectHost(client)
  const call = connection.call(
    'task.diff',
    { task: 'ab', mode: 'full' },
    { onChunk: () => new Promise(() => undefined) },
  )
  await expect(call).rejects.toMatchObject({
    code: 'connection_lost',
    message: expect.stringContaining('granted'),
  })
})

it('refuses a host that speaks another protocol, and tells both numbers', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  servers.push(server)
  server.on('connection', (ws) =>
    ws.on('message', () => ws.send(JSON.stringify({ ...welcome, protocol: 999 }))),
  )
  await new Promise((resolve) => server.on('listening', resolve))
  const { port } = server.address() as AddressInfo
  const client = await falseHost(() => undefined)
  const address = { kind: 'ws' as const, host: '127.0.0.1', port, secure: false }
  await expect(connectHost({ ...client, address })).rejects.toMatchObject({
    code: 'protocol_mismatch',
    details: { host: 999, client: 1 },
  })
})

it('gives up on a host that never says welcome', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  servers.push(server)
  await new Promise((resolve) => server.on('listening', resolve))
  const { port } = server.address() as AddressInfo
  const client = await falseHost(() => undefined)
  const address = { kind: 'ws' as const, host: '127.0.0.1', port, secure: false }
  await expect(connectHost({ ...client, address, connectTimeoutMs: 100 })).rejects.toMatchObject({
    code: 'connection_lost',
  })
})
