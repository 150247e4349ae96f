import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { until } from '../../tests/support/until.ts'
import type { IpcHandlers } from '../../shared/ipc.ts'
import { decodeTerminalFrame } from '../../shared/ipc/terminal-frame.ts'
import { createCallDispatcher } from '../services/calls/dispatch-call.ts'
import { inFairTurns } from '../services/calls/fair-turns.ts'
import type { Desk, DeskEvent } from '../services/desk/types.ts'
import { createSessions } from './sessions.ts'
import { createWindows } from './windows.ts'

/** A desk whose events are told by the test. */
function puppetDesk(own: Desk['call'] | undefined) {
  let listener: (event: DeskEvent) => void = () => undefined
  const closed: string[] = []
  const callers: string[] = []
  const desk: Partial<Desk> = {
    onEvent(added) {
      listener = added
      return () => undefined
    },
    windowClosed: (windowId) => void closed.push(windowId),
    call(request, caller) {
      callers.push(caller.windowId)
      if (own !== undefined) return own(request, caller)
      return Promise.resolve({ ok: true, value: {} })
    },
  }
  return { desk: desk as Desk, closed, callers, tell: (event: DeskEvent) => listener(event) }
}

async function setUp({ call }: { call?: Desk['call'] } = {}) {
  const puppet = puppetDesk(call)
  const logged: unknown[] = []
  const log = { error: (...what: unknown[]) => void logged.push(what) }
  const sessions = createSessions({ deskFolder: await tempDirForTest(), now: Date.now })
  const { secret, key } = sessions.create('test')
  const session = sessions.find(secret, key)
  if (session === undefined) throw new Error('no session')
  const windows = createWindows({ desk: puppet.desk, sessions, log })
  const server = http.createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => windows.open(socket, session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    windows.dispose()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  async function connect() {
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const heard: {
      event?: string
      payload?: { tasks?: unknown; revision?: number }
      id?: number
      answer?: { ok: boolean; error?: { code: string } }
    }[] = []
    socket.on('message', (data, isBinary) => {
      if (!isBinary) heard.push(JSON.parse(String(data)) as (typeof heard)[number])
    })
    await new Promise((resolve) => socket.once('open', resolve))
    onTestFinished(() => socket.terminate())
    return { socket, heard }
  }
  return { ...puppet, logged, windows, session, connect, sockets }
}

const change = (revision: number, tasks: string[]): DeskEvent => ({
  name: 'desk.changed',
  payload: {
    revision,
    counts: { needsYou: 0, reviewer: 0, toReview: 0, offline: 0, running: 0, open: 0 } as never,
    hosts: [],
    tasks,
  },
})

describe('windows', () => {
  it('each hear what is for all, and only their own', async () => {
    const { tell, connect, callers } = await setUp()
    const [one, two] = [await connect(), await connect()]
    one.socket.send('{"id":1,"name":"desk.state","input":{}}')
    await until('the answer', () => one.heard.some(({ id }) => id === 1))
    tell({
      name: 'desk.navigate',
      payload: { route: '#/tasks' } as never,
      windowId: callers[0],
    })
    tell(change(1, []))
    await until('both to hear', () => [one, two].every(({ heard }) => heard.some((frame) => frame.event)))
    expect(one.heard.map(({ event }) => event)).toEqual([undefined, 'desk.navigate', 'desk.changed'])
    expect(two.heard.map(({ event }) => event)).toEqual(['desk.changed'])
  })

  it('get the output of a terminal as bytes, after what was said before it', async () => {
    const { tell, connect, callers } = await setUp()
    const [one, two] = [await connect(), await connect()]
    const binary: unknown[] = []
    one.socket.binaryType = 'arraybuffer'
    one.socket.on(
      'message',
      (data, isBinary) => isBinary && binary.push(decodeTerminalFrame(data as ArrayBuffer)),
    )
    one.socket.send('{"id":1,"name":"terminal.open","input":{}}')
    await until('the answer', () => one.heard.some(({ id }) => id === 1))
    const payload = {
      terminalId: 't1',
      seq: 1,
      reset: true,
      chunk: new TextEncoder().encode('漢\x1b[m'),
      chars: 4,
    }
    tell({ name: 'terminal.data', payload, windowId: callers[0] })
    tell(change(1, []))
    await until('both to hear', () => [one, two].every(({ heard }) => heard.some((frame) => frame.event)))
    expect(binary).toEqual([payload])
  })

  it('that read slowly get one "everything changed" later, and little is kept for them', async () => {
    const { tell, connect, sockets } = await setUp()
    const { socket, heard } = await connect()
    socket.pause()
    const names = Array.from({ length: 500 }, (_none, index) => `local/${'x'.repeat(150)}${index}`)
    for (let revision = 1; revision <= 400; revision += 1) tell(change(revision, names))
    const [server] = sockets.clients
    expect(server?.bufferedAmount).toBeLessThan(8 * 1024 * 1024)
    socket.resume()
    await until('the last change', () => heard.at(-1)?.payload?.revision === 400)
    expect(heard.at(-1)?.payload?.tasks).toBe('all')
    expect(heard.length).toBeLessThan(300)
    // Whoever keeps up hears each change again.
    tell(change(401, ['local/a']))
    await until('the next change', () => heard.at(-1)?.payload?.revision === 401)
    expect(heard.at(-1)?.payload?.tasks).toEqual(['local/a'])
  })

  it('do not keep each other waiting, however much one of them asks for', async () => {
    let carriedOut = 0
    const handlers: Partial<IpcHandlers> = {
      'repo.recent'() {
        const until = performance.now() + 0.2
        while (performance.now() < until) carriedOut += 0
        carriedOut += 1
        return { paths: [] }
      },
      'host.list': () => ({ hosts: [] }),
    }
    const silent = { warn: () => undefined, error: () => undefined }
    const { connect } = await setUp({
      call: inFairTurns(createCallDispatcher(handlers as IpcHandlers, silent)),
    })
    const [greedy, modest] = [await connect(), await connect()]
    for (let id = 1; id <= 20_000; id += 1) greedy.socket.send(`{"id":${id},"name":"repo.recent","input":{}}`)
    await until('the flood to begin', () => carriedOut > 3, { timeoutMs: 30_000 })
    const before = carriedOut
    modest.socket.send('{"id":1,"name":"host.list","input":{}}')
    await until('the answer', () => modest.heard.length === 1, { timeoutMs: 30_000 })
    expect(modest.heard[0]).toMatchObject({ id: 1, answer: { ok: true } })
    // Not behind all the others, which would be hundreds.
    expect(carriedOut - before).toBeLessThan(200)
    await until('a refusal', () => greedy.heard.some(({ answer }) => answer?.ok === false), {
      timeoutMs: 30_000,
    })
    const refused = greedy.heard.filter(({ answer }) => answer?.ok === false)
    expect(new Set(refused.map(({ answer }) => answer?.error?.code))).toEqual(new Set(['rate_limited']))
  })

  it('write down what fails in the shell itself, with where it did', async () => {
    const { connect, logged } = await setUp({ call: () => Promise.reject(new TypeError('a bug')) })
    const { socket } = await connect()
    const code = new Promise((resolve) => socket.once('close', resolve))
    socket.send('{"id":1,"name":"desk.state","input":{}}')
    expect(await code).toBe(1011)
    expect(logged).toEqual([[{ err: expect.any(TypeError) }, expect.any(String)]])
  })

  it('are told of when they go, and go with their session', async () => {
    const { windows, session, connect, closed, callers } = await setUp()
    const { socket, heard } = await connect()
    expect(windows.countOf(session.id)).toBe(1)
    const code = new Promise((resolve) => socket.once('close', resolve))
    expect(windows.closeSession(session.id)).toBe(1)
    socket.send('{"id":1,"name":"desk.state","input":{}}')
    expect(await code).toBe(4401)
    await until('the desk to know', () => closed.length === 1)
    expect(callers).toEqual([])
    expect(heard).toEqual([])
  })
})
