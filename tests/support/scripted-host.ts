// A host that only talks: it speaks the protocol over ws in a process of its own, as fast as it can, with no database and no tasks.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { sampleTask, sampleTicket, user } from './sample-facts.ts'
import { taskId } from './sample-store.ts'

const HOST_ID = '5c21b7ed-0000-4000-8000-000000000001'
const TASKS_PER_PART = 300

/** What it has when somebody asks. */
export interface ScriptedHostContents {
  tasks: number
  /** Open tickets, spread over the tasks. */
  tickets: number
  /** Says another title for all tasks, so that two hosts, or two snapshots, can be told apart. */
  word?: string
}

type Order =
  | ({ do: 'hold' } & ScriptedHostContents)
  | { do: 'burst'; count: number; tasks: number; overMs: number }
  | { do: 'hangUp' }

/** Times in ms since the epoch. */
export interface Said {
  port?: number
  at: number
  doneAt: number
}

/** Starts it; it takes anybody in as a person. Its address is `ws://127.0.0.1:<port>`, with any token. */
export async function startScriptedHost(contents: ScriptedHostContents) {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(contents)], {
    execArgv: ['--experimental-strip-types', '--no-warnings'],
  })
  process.once('exit', () => child.kill())
  const answer = async (): Promise<Said> => {
    const [said] = (await once(child, 'message')) as [Said]
    return said
  }
  const { port = 0 } = await answer()
  const tell = (order: Order): Promise<Said> => {
    const said = answer()
    child.send(order)
    return said
  }
  return {
    address: `ws://127.0.0.1:${port}`,
    hostId: HOST_ID,
    /** From now on it has this, and everybody is sent away, so that they come back for it. */
    hold: (now: ScriptedHostContents) => tell({ do: 'hold', ...now }),
    /** Opens `count` more tickets evenly over `overMs`, on the tasks 1 … `tasks` in turn. */
    burst: (count: number, tasks: number, overMs: number) => tell({ do: 'burst', count, tasks, overMs }),
    hangUp: () => tell({ do: 'hangUp' }),
    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** The n-th task of a scripted host. */
export function scriptedTask(n: number, { word = '' }: Pick<ScriptedHostContents, 'word'>): Task {
  return sampleTask({
    id: taskId(n),
    title: `Task ${n} ${word}`,
    state: 'running',
    lastSeq: n,
    dispatchedBy: user,
    createdAt: 1_790_000_000_000 + n,
  })
}

function scriptedTicket(n: number, task: number): Ticket {
  return sampleTicket({
    id: `${taskId(task)}:ask-${n}`,
    taskId: taskId(task),
    audience: 'user',
    openedAt: 1_790_000_000_000 + n,
    ask: { kind: 'permission', action: 'command', text: `npm test -- file-${n}`, risk: { level: 'routine' } },
  })
}

function serve(first: ScriptedHostContents): void {
  let contents = first
  let headSeq = contents.tasks + contents.tickets
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  const subscribers = new Set<WebSocket>()

  async function sendSnapshot(ws: WebSocket): Promise<void> {
    const { tasks, tickets } = contents
    for (let from = 1; from === 1 || from <= tasks; from += TASKS_PER_PART) {
      const to = Math.min(tasks, from + TASKS_PER_PART - 1)
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      const mine = numbers.flatMap((task) =>
        Array.from({ length: Math.ceil((tickets - task + 1) / tasks) }, (_, turn) =>
          scriptedTicket(task + turn * tasks, task),
        ),
      )
      const rows = { tasks: numbers.map((n) => scriptedTask(n, contents)), tickets: mine }
      const text = JSON.stringify({ t: 'snapshot', headSeq, ...rows, last: to >= tasks })
      // As fast as they are taken.
      await new Promise((resolve) => ws.send(text, resolve))
    }
    subscribers.add(ws)
  }

  function answerCall(
    ws: WebSocket,
    { id, name, input }: { id: number; name: string; input: { limit?: number } },
  ) {
    const count = Math.min(input.limit ?? 100, name === 'task.list' ? contents.tasks : contents.tickets)
    const rows = Array.from({ length: count }, (_, n) => n + 1)
    const value =
      name === 'task.list'
        ? { tasks: rows.map((n) => scriptedTask(n, contents)), headSeq }
        : name === 'ticket.list'
          ? { tickets: rows.map((n) => scriptedTicket(n, ((n - 1) % contents.tasks) + 1)) }
          : undefined
    const error = { code: 'unknown_call', message: 'It only talks.' }
    ws.send(JSON.stringify(value ? { t: 'result', id, ok: true, value } : { t: 'error', id, error }))
  }

  function hear(ws: WebSocket, text: string): void {
    const message = JSON.parse(text) as { t: string; resume?: { fromSeq?: number } }
    if (message.t === 'call') return answerCall(ws, message as never)
    if (message.t !== 'hello') return
    const who = { hostId: HOST_ID, hostName: 'scripted', version: '0', capabilities: [], role: 'user' }
    ws.send(JSON.stringify({ t: 'welcome', protocol: 1, headSeq, ...who }))
    if (message.resume?.fromSeq === headSeq) subscribers.add(ws)
    else if (message.resume) void sendSnapshot(ws)
  }

  function burst({ count, tasks, overMs }: { count: number; tasks: number; overMs: number }): Promise<void> {
    return new Promise((resolve) => {
      const startedAt = performance.now()
      let done = 0
      const timer = setInterval(() => {
        const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / overMs) * count))
        const events = []
        for (; done < due; done += 1) {
          const [task, seq] = [(done % tasks) + 1, (headSeq += 1)]
          const { id: ticketId, audience, ask } = scriptedTicket(seq, task)
          const body = { ticketId, audience, ask }
          events.push({ seq, taskId: taskId(task), at: Date.now(), type: 'permission_request', body })
        }
        if (events.length > 0) for (const ws of subscribers) ws.send(JSON.stringify({ t: 'events', events }))
        if (done < count) return
        clearInterval(timer)
        resolve()
      }, 5)
    })
  }

  server.on('connection', (ws) => {
    const pings = setInterval(() => ws.ping(), 10_000)
    ws.on('close', () => {
      clearInterval(pings)
      subscribers.delete(ws)
    })
    ws.on('message', (data) => hear(ws, String(data)))
  })
  server.on('listening', () => {
    process.send?.({ port: (server.address() as AddressInfo).port, at: 0, doneAt: 0 } satisfies Said)
  })
  const now = () => performance.timeOrigin + performance.now()
  process.on('message', (order: Order) => {
    const at = now()
    const told = () => void process.send?.({ at, doneAt: now() } satisfies Said)
    if (order.do === 'burst') return void burst(order).then(told)
    if (order.do === 'hold') {
      contents = order
      headSeq += contents.tasks + contents.tickets
    }
    for (const ws of server.clients) ws.terminate()
    told()
  })
  process.on('disconnect', () => process.exit(0))
}

const contents = process.argv[2]
if (process.send && contents && process.argv[1] === fileURLToPath(import.meta.url))
  serve(JSON.parse(contents) as ScriptedHostContents)
