import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connectHost } from '../../shared/node/host-client/connection.ts'
import { createRandom, type Random } from '../support/random.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const FRAMES = 5_000
const open: { end(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.end()
})

const hello = (clientId: string) =>
  JSON.stringify({
    t: 'hello',
    protocol: 1,
    clientId,
    kind: 'test',
    name: 'hostile',
    version: '0',
    capabilities: [],
    resume: {},
  })

/** A masked WebSocket frame as a client sends it, every bit of its head chosen by the caller. */
function frame(
  payload: Buffer,
  { opcode = 1, fin = true, claimed = payload.length, masked = true } = {},
): Buffer {
  const head = [(fin ? 0x80 : 0) | opcode]
  const mask = masked ? 0x80 : 0
  if (claimed < 126) head.push(mask | claimed)
  else if (claimed < 65_536) head.push(mask | 126, claimed >> 8, claimed & 255)
  else head.push(mask | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (claimed >>> shift) & 255))
  if (!masked) return Buffer.concat([Buffer.from(head), payload])
  // A key of zeros masks nothing and is allowed; masking a megabyte byte by byte would take the test's time.
  if (payload.length > 10_000) return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
  const key = randomBytes(4)
  const body = Buffer.from(payload.map((byte, index) => byte ^ (key[index & 3] ?? 0)))
  return Buffer.concat([Buffer.from(head), key, body])
}

const text = (value: unknown) => frame(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const call = (name: unknown, input: unknown, id: unknown = 7) => text({ t: 'call', id, name, input })

/** Kinds of hostile frames; each is made anew with its own chance. */
const kinds: Record<string, (random: Random) => Buffer> = {
  truncatedJson: (random) => text(hello('x').slice(0, random.below(100))),
  unknownCall: (random) => call(random.pick(['nope', '', 'task', 'task.', '../x', 'x'.repeat(64)]), {}),
  builtInName: (random) =>
    call(random.pick(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']), {}),
  longName: () => call('x'.repeat(10_000), {}),
  wrongTypes: (random) =>
    call(
      random.pick(['task.get', 'upload.chunk', 'ticket.answer']),
      random.pick([null, 1, 'x', [], [[]], { task: {} }]),
    ),
  wrongId: (random) => call('host.info', {}, random.pick([0, -1, 1.5, 'x', null, 2 ** 60, {}])),
  deep: (random) => {
    const depth = 1_000 + random.below(200_000)
    return text(`{"t":"call","id":1,"name":"task.get","input":${'['.repeat(depth)}${']'.repeat(depth)}}`)
  },
  deepOpen: (random) => text('['.repeat(1 + random.below(500_000))),
  pollution: () =>
    text(
      '{"t":"call","id":3,"name":"task.get","input":{"__proto__":{"admin":true},"constructor":{"prototype":1}}}',
    ),
  hugeString: (random) => call('task.find', { ref: 'a'.repeat(random.below(900_000)) }),
  tooLarge: () => text('x'.repeat(1_100_000)),
  claimsMore: (random) => frame(randomBytes(50), { claimed: 100 + random.below(5_000_000) }),
  binary: (random) => frame(randomBytes(random.below(500)), { opcode: 2 }),
  invalidUtf8: () => frame(Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x22])),
  unmasked: () => frame(Buffer.from('{}'), { masked: false }),
  reservedOpcode: (random) => frame(Buffer.from('x'), { opcode: random.pick([3, 4, 7, 11, 15]) }),
  loneContinuation: () => frame(Buffer.from('x'), { opcode: 0 }),
  fragments: (random) => {
    const parts = [frame(Buffer.from('{'), { fin: false })]
    const count = random.below(2_000)
    for (let index = 0; index < count; index += 1)
      parts.push(frame(Buffer.alloc(0), { opcode: 0, fin: false }))
    return Buffer.concat(parts)
  },
  pings: (random) =>
    Buffer.concat(Array.from({ length: random.below(500) }, () => frame(randomBytes(100), { opcode: 9 }))),
  longPing: () => frame(randomBytes(200), { opcode: 9 }),
  badClose: (random) => frame(randomBytes(random.pick([1, 2, 50])), { opcode: 8 }),
  noise: (random) => randomBytes(1 + random.below(2_000)),
  helloAgain: () => text(hello('again')),
  ackAhead: () => text({ t: 'ack', seq: 2 ** 50 }),
  strayCredit: () => text({ t: 'credit', id: 999, bytes: 2 ** 31 }),
  strayCancel: () => text({ t: 'cancel', id: 123 }),
  notAnObject: (random) =>
    text(random.pick(['null', '1', '"x"', '[]', '', ' ', '{}', '{"t":1}', '{"t":"hello"}'])),
}

const upgrade =
  'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** A raw connection that has been upgraded and, mostly, has said hello. */
async function attack(socketPath: string, random: Random): Promise<net.Socket> {
  const socket = net.connect(socketPath)
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(upgrade)
  await new Promise((resolve) => {
    socket.once('data', resolve)
    socket.once('close', resolve)
  })
  // Half of the attackers never read what the server says.
  if (random.below(2) === 0) socket.resume()
  else socket.pause()
  if (random.below(10) > 0) socket.write(text(hello(`h${random.below(50)}`)))
  return socket
}

it(`goes on serving through ${FRAMES} hostile frames`, { timeout: 120_000 }, async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  const random = createRandom(seed)
  const started = await startServer({ handlers: { 'task.find': () => ({ tasks: [] }) } })
  open.push(started)
  started.store.append('x', 50)
  const friend = await connectHost(started.client)
  const names = Object.keys(kinds)
  let socket = await attack(started.socketPath, random)
  let others: net.Socket[] = []
  for (let index = 0; index < FRAMES; index += 1) {
    const name = random.pick(names)
    const data = kinds[name]?.(random) ?? Buffer.alloc(0)
    const cut = random.below(20) === 0 ? random.below(data.length) : data.length
    if (socket.destroyed || !socket.writable || random.below(10) === 0) {
      others.push(socket)
      socket = await attack(started.socketPath, random)
    }
    socket.write(data.subarray(0, cut))
    if (others.length > 20) {
      for (const other of others) other.destroy()
      others = []
    }
    if (index % 250 === 0)
      expect(
        await friend.call('task.find', { ref: 'abcd' }),
        `seed ${seed}, frame ${index}: ${name}`,
      ).toEqual({
        tasks: [],
      })
  }
  for (const other of [...others, socket]) other.destroy()
  expect(await friend.call('task.find', { ref: 'abcd' }), `seed ${seed}`).toEqual({ tasks: [] })
  const bugs = started.logged.filter((line) => line.level === 'error')
  expect(bugs, `seed ${seed}`).toEqual([])
  await until('only the friend to be left', () => started.server.connectionCount() === 1)
  friend.close()
})

describe('one client', () => {
  it('is closed after too many unreadable messages, and each is answered before', async () => {
    const { client, socketPath, end } = await startServer({ limits: { badFrames: 5 } })
    open.push({ end })
    const ws = new WebSocket('ws://localhost', { createConnection: () => net.connect(socketPath) })
    const messages: { t: string; id?: number }[] = []
    ws.on('message', (data) => messages.push(JSON.parse(String(data))))
    const closed = new Promise((resolve) => ws.on('close', resolve))
    await new Promise((resolve) => ws.on('open', resolve))
    ws.send(hello('bad'))
    for (let index = 0; index < 8; index += 1) ws.send('nonsense')
    expect(await closed).toBe(1008)
    expect(messages.filter((message) => message.t === 'error' && message.id === 0)).toHaveLength(5)
    const friend = await connectHost(client)
    friend.close()
  })

  it('cannot make the server hold more than a bounded amount by never reading', async () => {
    const started = await startServer({
      limits: { drainTimeoutMs: 300, inboundPauseBytes: 1024 * 1024 },
      handlers: { 'task.find': () => ({ tasks: [] }) },
    })
    open.push(started)
    const socket = net.connect(started.socketPath)
    socket.on('error', () => undefined)
    socket.write(upgrade)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    socket.write(text(hello('deaf')))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    const many = (batch: number) =>
      Buffer.concat(
        Array.from({ length: 500 }, (_, index) => call('x'.repeat(64), {}, batch * 500 + index + 1)),
      )
    let sent = 0
    while (!socket.destroyed && sent < 400) {
      sent += 1
      if (!socket.write(many(sent)))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    await until('the deaf client to be dropped', () => started.server.connectionCount() === 0)
    expect(sent).toBeLessThan(100)
    const friend = await connectHost(started.client)
    friend.close()
    socket.destroy()
  })

  it('floods HTTP on TCP without a token and changes nothing', async () => {
    const started = await startServer({ limits: { handshakeMs: 2_000 } })
    open.push(started)
    const { host, port } = await started.server.listenTcp({
      address: { host: '127.0.0.1', port: 0 },
      yesPublic: false,
    })
    const random = createRandom(7)
    const lines = [
      'GET / HTTP/1.1\r\n\r\n',
      'X\r\n\r\n',
      upgrade,
      'POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n',
      'GET /',
    ]
    const sockets = Array.from({ length: 100 }, () => {
      const socket = net.connect(port, host)
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(random.pick([...lines, `GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`]))
      return new Promise((resolve) => socket.on('close', resolve))
    })
    const friend = await connectHost(started.client)
    await Promise.all(sockets)
    friend.close()
  })
})
