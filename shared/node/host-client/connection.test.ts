import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { sampleTask, sampleTicket } from '../../../tests/support/sample-facts.ts'
import { taskId } from '../../../tests/support/sample-store.ts'
import { connectHost, type ConnectOptions } from './connection.ts'
import type { SnapshotPart } from './snapshot-reader.ts'

const HOST_ID = '5c21b7ed-0000-4000-8000-000000000002'

/** A host that says what a test wants when somebody has said hello, and a connection to it. */
async function connected(
  tell: (say: (message: object) => void, ws: WebSocket) => void,
  hear: Partial<ConnectOptions>,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.on('listening', resolve))
  server.on('connection', (ws) =>
    ws.once('message', () => {
      const say = (message: object) => ws.send(JSON.stringify(message))
      const who = { hostId: HOST_ID, hostName: 'x', version: '0', capabilities: [], role: 'user' }
      say({ t: 'welcome', protocol: 1, headSeq: 5, ...who })
      tell(say, ws)
    }),
  )
  const { port } = server.address() as AddressInfo
  const connection = await connectHost({
    address: { kind: 'ws', host: '127.0.0.1', port, secure: false },
    token: 'x',
    clientId: 'test',
    kind: 'desk',
    name: 'a test',
    version: '0',
    resume: {},
    ...hear,
  })
  onTestFinished(connection.close)
  return connection
}

const event = (seq: number) => ({ seq, taskId: 't', at: 0, type: 'progress', body: {} })
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const tasks = (count: number) => numbers(count).map((n) => sampleTask({ id: taskId(n) }))

describe('what a host tells', () => {
  it('is taken in a little at a time and in order, with other work in between', async () => {
    const heard: string[] = []
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 1_000) setImmediate(count)
    }
    let done: (turns: number) => void = () => undefined
    const isDone = new Promise<number>((resolve) => (done = resolve))
    await connected(
      (say) => {
        say({ t: 'snapshot', headSeq: 5, tasks: tasks(250), tickets: [], last: false })
        say({ t: 'snapshot', headSeq: 5, tasks: [], tickets: [sampleTicket()], last: true })
        say({ t: 'events', events: numbers(200).map((n) => event(5 + n)) })
        say({ t: 'notice', code: 'stopping', text: 'bye' })
      },
      {
        onWelcome: count,
        onSnapshotPart({ tasks: some, tickets, first, last }) {
          heard.push(`${some.length}+${tickets.length}${first ? ' first' : ''}${last ? ' last' : ''}`)
          return undefined
        },
        onEvents: (events) => heard.push(`${events[0]?.seq}-${events.at(-1)?.seq}`),
        onNotice: () => done(turns),
      },
    )
    expect(await isDone).toBeGreaterThan(7)
    expect(heard).toEqual([
      '100+0 first', '100+0', '50+0', '0+1 last', '6-69', '70-133', '134-197', '198-205',
    ]) // prettier-ignore
  })

  it('waits until a part that is not done with is', async () => {
    const heard: [rows: number, first: boolean][] = []
    let done: () => void = () => undefined
    const isDone = new Promise<void>((resolve) => (done = resolve))
    await connected(
      (say) => {
        say({ t: 'snapshot', headSeq: 5, tasks: tasks(1), tickets: [], last: true })
        say({ t: 'events', events: [event(6)] })
      },
      {
        onSnapshotPart({ tasks: some, first }: SnapshotPart) {
          heard.push([some.length, first])
          return heard.length < 3 ? 'again' : undefined
        },
        onEvents: () => done(),
      },
    )
    await isDone
    expect(heard).toEqual([
      [1, true],
      [0, false],
      [0, false],
    ])
  })

  it('is told to its end when the host hangs up right afterwards', async () => {
    const seqs: number[] = []
    const { closed } = await connected(
      (say, ws) => {
        say({ t: 'events', events: numbers(300).map(event) })
        ws.close()
      },
      { onEvents: (events) => seqs.push(...events.map(({ seq }) => seq)) },
    )
    expect(await closed).toMatchObject({ kind: 'lost' })
    expect(seqs).toEqual(numbers(300))
  })

  it.each([
    [
      'a message of more than eight megabytes',
      'too large',
      { t: 'events', events: [{ ...event(1), body: { x: 'x'.repeat(9_000_000) } }] },
    ],
    [
      'a task that is none, late in a snapshot',
      'cannot be read',
      { t: 'snapshot', headSeq: 1, tasks: [...tasks(150), { id: 1 }], tickets: [], last: true },
    ],
  ])('ends the connection when it is %s', async (_, why, message) => {
    const { closed } = await connected((say) => say(message), {})
    expect(await closed).toMatchObject({
      kind: 'lost',
      error: { message: expect.stringContaining(why) as string },
    })
  })

  it('may be long when it was asked for', async () => {
    const connection = await connected((say, ws) => {
      ws.on('message', (data: Buffer) => {
        const { id } = JSON.parse(data.toString()) as { id: number }
        say({
          t: 'result',
          id,
          ok: true,
          value: { tasks: tasks(1), headSeq: 1, rest: 'x'.repeat(9_000_000) },
        })
      })
    }, {})
    expect((await connection.call('task.list', {})).tasks).toHaveLength(1)
  })
})
