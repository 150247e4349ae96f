import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { CallContext } from '../../agentd/server/call-context.ts'
import { AppError } from '../../shared/errors.ts'
import { downloadFile } from '../../shared/node/host-client/download.ts'
import { STREAM_CREDIT_BYTES } from '../../shared/protocol.ts'
import { CHUNK_BYTES } from '../../shared/protocol/call-spec.ts'
import { serversForTest } from '../support/servers-for-test.ts'
import { until } from '../support/until.ts'

const { start, connect } = serversForTest()

function createGate() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
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

describe('a call that must not be', () => {
  it('is refused by name, role and input', async () => {
    const { client, tokens } = await start({ handlers: { 'task.find': () => ({ tasks: [] }) } })
    const connection = await connect(client)
    const anyCall = connection.call as (name: string, input: unknown) => Promise<unknown>
    for (const name of ['nope', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      await expect(anyCall(name, {})).rejects.toMatchObject({ code: 'unknown_call' })
    await expect(anyCall('task.find', { ref: '../x' })).rejects.toMatchObject({
      code: 'bad_request',
      details: { field: 'ref' },
    })
    const { token } = tokens.create({ name: 'watcher', role: 'observer' })
    const observer = await connect({ ...client, token })
    await expect(observer.call('task.find', { ref: 'ab' })).resolves.toEqual({ tasks: [] })
    await expect(observer.call('token.list', {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is not sent when it is too large', async () => {
    const { client } = await start()
    const connection = await connect(client)
    const plan = 'x'.repeat(1_100_000)
    const input = {
      requestId: 'abcdefgh',
      title: 't',
      plan,
      executor: 'demo',
      repo: { kind: 'path' as const, path: '/x' },
    }
    await expect(connection.call('task.dispatch', input)).rejects.toMatchObject({ code: 'too_large' })
    await expect(connection.call('task.find', { ref: 'ab' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('is refused when too many run already', async () => {
    const gate = createGate()
    const { client } = await start({
      limits: { runningCalls: 3 },
      handlers: {
        'task.find': async () => {
          await gate.promise
          return { tasks: [] }
        },
      },
    })
    const connection = await connect(client)
    const three = [1, 2, 3].map(() => connection.call('task.find', { ref: 'ab' }))
    await expect(connection.call('task.find', { ref: 'ab' })).rejects.toMatchObject({ code: 'rate_limited' })
    gate.resolve()
    expect(await Promise.all(three)).toEqual([{ tasks: [] }, { tasks: [] }, { tasks: [] }])
    await expect(connection.call('task.find', { ref: 'ab' })).resolves.toEqual({ tasks: [] })
  })
})

it('makes no more answers than fit when a client asks much and reads nothing', async () => {
  let made = 0
  const { socketPath } = await start({
    handlers: {
      'rule.preview': () => {
        made += 1
        return { pattern: 'x'.repeat(1_000), why: 'y'.repeat(500) }
      },
    },
    limits: { outboundHighBytes: 8_000 },
  })
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
  ws.send(JSON.stringify(hello))
  await new Promise((resolve) => ws.once('message', resolve))
  raw.pause()
  let id = 0
  const ask = () =>
    ws.send(JSON.stringify({ t: 'call', id: (id += 1), name: 'rule.preview', input: { ticket: 'ab:1' } }))
  await until('the answers to stop', () => {
    const before = made
    for (let index = 0; index < 60; index += 1) ask()
    return made > 60 && before === made
  })
  let answers = 0
  ws.on('message', () => (answers += 1))
  raw.resume()
  await until('every call to be answered in the end', () => answers === id)
  ws.terminate()
})

describe('the end of a call', () => {
  const waiting = () => {
    const signals: AbortSignal[] = []
    const handler = (_input: never, { signal }: CallContext) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    return { signals, handlers: { 'wait.next': handler } }
  }
  const wait = { consumer: 'tester', tasks: [], until: 'wake' as const }

  it('is told to the handler when the client cancels or loses patience', async () => {
    const { signals, handlers } = waiting()
    const { client } = await start({ handlers })
    const connection = await connect(client)
    const abort = new AbortController()
    const call = connection.call('wait.next', wait, { signal: abort.signal })
    await until('the call to run', () => signals.length === 1)
    abort.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect(connection.call('wait.next', wait, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'timeout',
    })
    await until('both to have ended', () => signals.length === 2 && signals.every((signal) => signal.aborted))
  })

  it('is told to the handler when the connection is gone, and to the client when the host is', async () => {
    const { signals, handlers } = waiting()
    const { client } = await start({ handlers })
    const connection = await connect(client)
    const call = connection.call('wait.next', wait)
    const lost = expect(call).rejects.toMatchObject({ code: 'connection_lost' })
    await until('the call to run', () => signals.length === 1)
    connection.close()
    await lost
    await until('the handler to know', () => signals[0]?.aborted)
    expect(await connection.closed).toEqual({ kind: 'closed_here' })
    await expect(connection.call('wait.next', wait)).rejects.toMatchObject({ code: 'connection_lost' })
  })
})

describe('a streamed answer', () => {
  const info = { from: 'a'.repeat(40), to: 'work', uncommitted: false }
  const diff = { task: 'abcd', mode: 'full' as const }

  it('arrives whole and in order, with both channels kept apart', async () => {
    const data = randomBytes(3_000_000)
    const { client } = await start({
      handlers: {
        'task.diff': async (_input, { write }) => {
          // Started together on purpose: order is the writer's business, not the handler's.
          const writes = [
            write(data.subarray(0, 1_000_000), 'bytes'),
            write(data.subarray(1_000_000), 'bytes'),
          ]
          await Promise.all(writes)
          return info
        },
      },
    })
    const connection = await connect(client)
    const pieces: Uint8Array[] = []
    const result = await connection.call('task.diff', diff, { onChunk: (piece) => void pieces.push(piece) })
    expect(result).toEqual(info)
    expect(Buffer.concat(pieces).equals(data)).toBe(true)
    expect(Math.max(...pieces.map((piece) => piece.byteLength))).toBeLessThanOrEqual(CHUNK_BYTES)
  })

  it('is written no faster than the client takes it, and other calls pass it', async () => {
    let written = 0
    const { client } = await start({
      handlers: {
        'task.diff': async (_input, { write }) => {
          for (let index = 0; index < 100; index += 1) {
            await write(Buffer.alloc(100_000), 'bytes')
            written += 100_000
          }
          return info
        },
        'task.find': () => ({ tasks: [] }),
      },
    })
    const connection = await connect(client)
    const gate = createGate()
    let taken = 0
    const call = connection.call('task.diff', diff, {
      onChunk: async (piece) => {
        await gate.promise
        taken += piece.byteLength
      },
    })
    await until('the writer to stand still', () => written >= 900_000)
    expect(await connection.call('task.find', { ref: 'ab' })).toEqual({ tasks: [] })
    expect(written).toBeLessThanOrEqual(STREAM_CREDIT_BYTES)
    gate.resolve()
    await call
    expect(taken).toBe(10_000_000)
  })

  it('ends when the taker fails, and the writer learns of it', async () => {
    let failure: unknown
    const { client } = await start({
      handlers: {
        'task.diff': async (_input, { write }) => {
          try {
            for (;;) await write(Buffer.alloc(100_000), 'bytes')
          } catch (error) {
            failure = error
            throw error
          }
        },
      },
    })
    const connection = await connect(client)
    const call = connection.call('task.diff', diff, {
      onChunk: () => {
        throw new Error('disk full here')
      },
    })
    await expect(call).rejects.toThrow('disk full here')
    await until('the writer', () => failure)
    expect(failure).toMatchObject({ code: 'cancelled' })
  })

  it('goes into a file that is gone again when the call fails', async () => {
    const { client, folder } = await start({
      handlers: {
        'task.fetch': async ({ path: wanted }: { path: string }, { write }) => {
          await write(Buffer.from('content'), 'bytes')
          if (wanted === 'bad') throw new AppError({ code: 'file_not_found', message: 'Gone.' })
          return { sizeBytes: 7 }
        },
      },
    })
    const connection = await connect(client)
    const fetch = (name: string) =>
      downloadFile(path.join(folder, name), (onChunk) =>
        connection.call('task.fetch', { task: 'ab', path: name }, { onChunk }),
      )
    expect(await fetch('good')).toEqual({ sizeBytes: 7 })
    expect(readFileSync(path.join(folder, 'good'), 'utf8')).toBe('content')
    await expect(fetch('bad')).rejects.toMatchObject({ code: 'file_not_found' })
    expect(existsSync(path.join(folder, 'bad'))).toBe(false)
  })
})

describe('a client of another version', () => {
  it('is told both versions', async () => {
    const { socketPath } = await start()
    const ws = new WebSocket('ws://localhost', { createConnection: () => net.connect(socketPath) })
    const message = new Promise((resolve) => ws.on('message', (data) => resolve(JSON.parse(String(data)))))
    ws.on('open', () => ws.send(JSON.stringify({ t: 'hello', protocol: 99, somethingNew: true })))
    expect(await message).toMatchObject({
      t: 'refused',
      error: { code: 'protocol_mismatch', details: { host: 1, client: 99 } },
    })
    await new Promise((resolve) => ws.on('close', resolve))
  })
})

describe('when agentd stops', () => {
  it('lets a running call end, wakes those that only wait, and tells everybody', async () => {
    const gate = createGate()
    let running = 0
    const { client, server } = await start({
      handlers: {
        'task.find': async () => {
          running += 1
          await gate.promise
          return { tasks: [] }
        },
        'wait.next': (_input, { signal }) => {
          running += 1
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        },
      },
    })
    const notices: string[] = []
    const connection = await connect({
      ...client,
      onNotice: ({ code }) => {
        notices.push(code)
        gate.resolve()
      },
    })
    const call = connection.call('task.find', { ref: 'ab' })
    const wait = connection.call('wait.next', { consumer: 'tester', tasks: [], until: 'wake' })
    const waited = expect(wait).rejects.toMatchObject({ code: 'cancelled' })
    await until('both to run', () => running === 2)
    const startedAt = performance.now()
    const stopped = server.stop()
    expect(await call).toEqual({ tasks: [] })
    await waited
    await stopped
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(notices).toEqual(['stopping'])
    expect(await connection.closed).toMatchObject({ kind: 'lost', error: { code: 'connection_lost' } })
  })

  it('waits only so long for a call that does not end', async () => {
    const { client, server } = await start({
      limits: { stopGraceMs: 100 },
      handlers: { 'task.find': () => new Promise(() => undefined) },
    })
    const connection = await connect(client)
    const call = expect(connection.call('task.find', { ref: 'ab' })).rejects.toMatchObject({
      code: 'connection_lost',
    })
    await server.stop()
    await call
  })
})

describe('signs of life', () => {
  it('are given by both sides, so that a quiet connection lives', async () => {
    const { client, server } = await start({ limits: { heartbeatMs: 40 } })
    const connection = await connect({ ...client, heartbeatMs: 40 })
    const later = performance.now() + 400
    await until('ten heartbeats to pass', () => performance.now() > later)
    expect(server.connectionCount()).toBe(1)
    await expect(connection.call('task.find', { ref: 'ab' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('are missed by the client when the host hangs', async () => {
    const { client } = await start({ limits: { heartbeatMs: 60_000 } })
    const connection = await connect({ ...client, heartbeatMs: 40 })
    expect(await connection.closed).toMatchObject({
      kind: 'lost',
      error: { message: expect.stringContaining('no sign of life') },
    })
  })

  it('are missed by the host when a client hangs', async () => {
    const { socketPath, server } = await start({ limits: { heartbeatMs: 40 } })
    const ws = new WebSocket('ws://localhost', {
      createConnection: () => net.connect(socketPath),
      autoPong: false,
    })
    await new Promise((resolve) => ws.on('close', resolve))
    await until('it to be forgotten', () => server.connectionCount() === 0)
  })
})
