import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isOver, type TaskState } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { createHostLink, type HostLink } from '../../shared/node/host-client/reconnecting.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import { dispatchDemo, requestId, startHost, type TestHost } from '../support/agentd.ts'
import { createRandom, type Random } from '../support/random.ts'
import { createRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const KILLS = Number(process.env['HANDOFF_CRASH_KILLS'] ?? 200)
const TASKS = 20
const ASKS_PER_TASK = 12
/** As long as the whole test may take: hosts are silent for as long as others are slow. */
const PATIENCE = { timeoutMs: 20 * 60_000 }

const needs = requires('tmux', 'git')

/** A client that keeps every event it was given and comes back after every cut. */
function watch(host: TestHost, clientId: string): { link: HostLink; events: WireEvent[] } {
  const events: WireEvent[] = []
  const link = createHostLink({
    address: { kind: 'unix', path: host.socket },
    clientId,
    kind: 'test',
    name: clientId,
    version: '0',
    resumeFrom: 0,
    backoff: { firstMs: 20, maxMs: 200 },
    onEvents: (more) => void events.push(...more),
  })
  return { link, events }
}

/** Calls until an answer comes, over any number of lost connections, always with the same request id. */
async function insist<T>(link: HostLink, call: () => Promise<T>): Promise<T> {
  for (;;) {
    await until('a connection', () => link.state().kind === 'live', PATIENCE)
    try {
      return await call()
    } catch (error) {
      const again =
        error instanceof AppError && ['connection_lost', 'host_unreachable', 'cancelled'].includes(error.code)
      if (!again) throw error
    }
  }
}

/** Answers every ticket it hears of, once each; two of these race for every ticket. */
function answerEverything(
  { link, events }: ReturnType<typeof watch>,
  outcomes: Map<string, string[]>,
): () => Promise<void> {
  let stopped = false
  let seen = 0
  const answering = (async () => {
    for (;;) {
      await until('another event, or the end', () => stopped || seen < events.length, PATIENCE)
      const event = events[seen]
      if (stopped || !event) return
      seen += 1
      if (event.type !== 'permission_request' && event.type !== 'question') continue
      const ticket = String(event.body['ticketId'])
      const request = {
        requestId: requestId(),
        ticket,
        answer:
          event.type === 'question'
            ? ({ kind: 'text', text: 'yes' } as const)
            : ({ kind: 'approve' } as const),
      }
      const { kind } = await insist(link, () => link.call('ticket.answer', request))
      outcomes.set(ticket, [...(outcomes.get(ticket) ?? []), kind])
    }
  })()
  return async () => {
    stopped = true
    await answering
  }
}

const plan = (): string =>
  Array.from({ length: ASKS_PER_TASK }, (_, n) =>
    [
      n % 4 === 3 ? `demo: question number ${n}?` : `demo: ask-permission echo ${n}`,
      'demo: progress 3',
      'demo: sleep 200',
    ].join('\n'),
  ).join('\n') + '\ndemo: write result.txt done\ndemo: commit'

async function killAtRandomMoments(host: TestHost, random: Random): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const lifeMs = random.below(400)
    const startedAt = performance.now()
    await until('its random moment', () => performance.now() - startedAt >= lifeMs, { intervalMs: 5 })
    await host.end('SIGKILL')
    await host.start()
  }
}

/** Delivery ids that the demo executor accepted, in order; it writes each down before it acts on it. */
async function acceptedDeliveries(host: TestHost, taskId: string): Promise<number[]> {
  const file = path.join(host.home, 'tasks', taskId.slice(0, 8), 'demo', 'deliveries.jsonl')
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { deliveryId: number }).deliveryId)
}

it.skipIf(needs.skip)(
  needs.title(
    `loses nothing and does nothing twice over ${KILLS} kills while ${TASKS} tasks run and clients answer`,
  ),
  { timeout: PATIENCE.timeoutMs },
  async () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const host = await startHost()
    const repo = await createRepository()
    onTestFinished(async () => {
      await Promise.all(watchers.map(({ link }) => link.dispose()))
      await host.dispose()
      await repo.dispose()
    }, 120_000)
    const watchers = ['first', 'second', 'third'].map((name) => watch(host, name))
    const [first, second] = watchers as [ReturnType<typeof watch>, ReturnType<typeof watch>]
    const outcomes = new Map<string, string[]>()
    const connection = await host.connect()
    const tasks = await Promise.all(
      Array.from({ length: TASKS }, () => dispatchDemo(connection, repo.path, plan())),
    )
    connection.close()
    const stopAnswering = [first, second].map((watcher) => answerEverything(watcher, outcomes))

    await killAtRandomMoments(host, createRandom(seed))
    const ends = new Set(['completed', 'turn_failed', 'failed', 'crashed'])
    await until(
      'every task has come to its review',
      () =>
        new Set(first.events.filter((event) => ends.has(event.type)).map((event) => event.taskId)).size ===
        TASKS,
      { timeoutMs: 240_000, intervalMs: 200 },
    )
    await Promise.all(stopAnswering.map((stop) => stop()))

    const after = await host.connect()
    const { headSeq, tasks: now } = await after.call('task.list', { over: true })
    await until('every client has everything', () =>
      watchers.every(({ events }) => (events.at(-1)?.seq ?? 0) >= headSeq),
    )

    // Every client saw every event exactly once, in order.
    for (const { events } of watchers)
      expect(events.map((event) => event.seq).slice(0, headSeq)).toEqual(
        Array.from({ length: headSeq }, (_, n) => n + 1),
      )
    expect(first.events.filter((event) => ['crashed', 'failed', 'turn_failed'].includes(event.type))).toEqual(
      [],
    )
    expect(now.every((task) => !isOver(task.state as TaskState))).toBe(true)

    // Every ticket was answered exactly once and delivered exactly once.
    const of = (type: string): string[] =>
      first.events.filter((event) => event.type === type).map((event) => String(event.body['ticketId']))
    const asked = [...of('permission_request'), ...of('question')].sort()
    expect(asked).toHaveLength(TASKS * ASKS_PER_TASK)
    expect(new Set(asked).size).toBe(asked.length)
    expect(of('answered').sort()).toEqual(asked)
    expect(
      of('delivered')
        .filter((ticket) => ticket !== 'undefined')
        .sort(),
    ).toEqual(asked)
    for (const [ticket, kinds] of outcomes)
      expect([ticket, kinds.filter((kind) => kind === 'applied').length]).toEqual([ticket, 1])
    for (const task of tasks) {
      const accepted = await acceptedDeliveries(host, task.id)
      expect(new Set(accepted).size).toBe(accepted.length)
      // One prompt and every answer.
      expect(accepted).toHaveLength(1 + ASKS_PER_TASK)
    }
    after.close()
  },
)
