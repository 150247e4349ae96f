import fs from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { dispatchDemo, hostForTest, requestId, type TestHost } from '../../../tests/support/agentd.ts'
import { requires } from '../../../tests/support/requirements.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { until } from '../../../tests/support/until.ts'
import type { HostConnection } from '../../../shared/node/host-client/connection.ts'
import { createHostLink, type HostLink } from '../../../shared/node/host-client/reconnecting.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Decision } from '../../../shared/ipc/work-calls.ts'
import { openCache } from '../cache/open-cache.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import { createOutbox, type OutboxOptions } from './outbox.ts'

const needs = requires('tmux')
const approve = { kind: 'approve' } as const
const slow = { timeoutMs: 60_000 }

describe.skipIf(needs.skip)(needs.title('an outbox with a real host'), () => {
  let host: TestHost
  let folder: string
  let cache: Cache
  let link: HostLink | undefined
  let other: HostConnection
  let taskId: string
  let ticketId: string

  /** The desk's own connection; ends and begins as the network does. */
  function connect(onLive: () => void = () => undefined): void {
    link = createHostLink({
      address: { kind: 'unix', path: host.socket },
      clientId: 'desk-1',
      kind: 'desk',
      name: 'a desk',
      version: '0',
      backoff: { firstMs: 10, maxMs: 200 },
      resumeFrom: cache.resumePoint('local'),
      onSnapshot: (snapshot) => cache.onSnapshot('local', snapshot),
      onEvents: (events) => cache.onEvents('local', events),
      onState: (state) => void (state.kind === 'live' && onLive()),
    })
  }

  const hosts: OutboxOptions['hosts'] = {
    get: (name) => ({
      name,
      isLocal: true,
      address: 'local',
      state: link?.state().kind === 'live' ? { kind: 'live', since: 0 } : { kind: 'connecting' },
    }),
    call: () => (link ? link.call : () => Promise.reject(lost())) as ReturnType<HostService['call']>,
  }

  function open(more: Partial<OutboxOptions> = {}) {
    const outcomes: Decision[] = []
    const outbox = createOutbox({ path: `${folder}/desk.db`, hosts, cache, ...more })
    outbox.onOutcome((_, decision) => outcomes.push(decision))
    onTestFinished(outbox.dispose)
    return { outbox, outcomes }
  }

  /** How often each thing has happened, by the host's own history. */
  async function happened(type: string): Promise<number> {
    const { events } = await other.call('task.get', { task: taskId, historyLimit: 1_000 })
    // The plan is delivered too, and names no ticket.
    const isMine = (body: Record<string, unknown>) => type !== 'delivered' || body['ticketId'] === ticketId
    return events.filter((event) => event.type === type && isMine(event.body)).length
  }

  beforeEach(async () => {
    const started = await hostForTest()
    host = started.host
    folder = await tempDirForTest()
    cache = openCache({ path: `${folder}/cache.db` })
    onTestFinished(cache.dispose)
    onTestFinished(() => link?.dispose())
    other = await host.connect({ clientId: 'elsewhere' })
    onTestFinished(() => other.close())
    cache.onUnknownTask((name, id) => {
      void other.call('task.get', { task: id }).then(({ task, tickets }) => cache.put(name, task, tickets))
    })
    connect()
    const plan = 'demo: ask-permission npm test\ndemo: write a.txt one\ndemo: commit One'
    taskId = (await dispatchDemo(other, started.repo.path, plan)).id
    ticketId = (await until('the request', () => cache.openTickets()[0]?.ticket.id, slow)) ?? ''
  }, 120_000)

  it('keeps what is answered while the host is down and delivers it exactly once when it is back', async () => {
    const { outbox, outcomes } = open()
    await host.end('SIGKILL')
    await until('it to be noticed', () => link?.state().kind === 'offline')
    expect((await outbox.answer({ host: 'local', ticketId, answer: approve })).kind).toBe('queued')
    expect(outbox.of('local', ticketId)?.state).toBe('queued')
    await host.start()
    other = await host.connect({ clientId: 'elsewhere' })
    await until('it to be live', () => link?.state().kind === 'live', slow)
    for (let turn = 0; turn < 3; turn += 1) outbox.flush('local')
    await until('the outcome', () => outcomes.length === 1, slow)
    expect(outcomes).toMatchObject([{ kind: 'applied', ticket: { id: ticketId } }])
    await until('the review', () => cache.inbox({ offset: 0, limit: 9 }).rows[0]?.kind === 'review', slow)
    expect(cache.ticket('local', ticketId)?.state).toBe('delivered')
    expect([await happened('answered'), await happened('delivered')]).toEqual([1, 1])
    expect(outbox.list()).toEqual([])
  })

  it('says that somebody else has answered meanwhile', async () => {
    const { outbox, outcomes } = open()
    await link?.dispose()
    link = undefined
    expect((await outbox.answer({ host: 'local', ticketId, answer: approve })).kind).toBe('queued')
    const deny = { kind: 'deny', stop: false, message: 'Not now.' } as const
    await other.call('ticket.answer', { requestId: requestId(), ticket: ticketId, answer: deny })
    connect(() => outbox.flush('local'))
    await until('it to be live', () => link?.state().kind === 'live', slow)
    outbox.flush('local')
    await until('the outcome', () => outcomes.length === 1, slow)
    expect(outcomes).toMatchObject([
      { kind: 'already_answered', ticket: { answer: deny, answeredBy: { clientId: 'elsewhere' } } },
    ])
    expect(await happened('answered')).toBe(1)
  })

  it('delivers once although it was killed after sending and before it heard of it', async () => {
    const copy = `${folder}/killed.db`
    const losing = (async (...args: Parameters<ReturnType<HostService['call']>>) => {
      await link?.call(...args)
      for (const end of ['', '-wal']) fs.copyFileSync(`${folder}/desk.db${end}`, `${copy}${end}`)
      throw lost()
    }) as ReturnType<HostService['call']>
    const killed = open({
      hosts: { ...hosts, call: () => losing },
      retry: { firstMs: 3_600_000, maxMs: 3_600_000 },
    })
    expect((await killed.outbox.answer({ host: 'local', ticketId, answer: approve })).kind).toBe('queued')
    const again = open({ path: copy, isAlive: () => false })
    expect(again.outbox.list()).toMatchObject([{ ticketId, state: 'queued' }])
    again.outbox.flush('local')
    await until('the outcome', () => again.outcomes.length === 1, slow)
    expect(again.outcomes).toMatchObject([
      { kind: 'applied', ticket: { answeredBy: { clientId: 'desk-1' } } },
    ])
    await until('the review', () => cache.task('local', taskId)?.state === 'waiting_review', slow)
    expect([await happened('answered'), await happened('delivered')]).toEqual([1, 1])
  })

  it('sends an instruction that was written offline to the same session once', async () => {
    const { outbox, outcomes } = open()
    await outbox.answer({ host: 'local', ticketId, answer: approve })
    await until('the review', () => cache.task('local', taskId)?.state === 'waiting_review', slow)
    await link?.dispose()
    link = undefined
    const text = 'demo: fast\ndemo: write b.txt two\ndemo: commit Two'
    expect((await outbox.continueTask({ host: 'local', taskId, text })).kind).toBe('queued')
    connect(() => outbox.flush('local'))
    await until('it to be live', () => link?.state().kind === 'live', slow)
    outbox.flush('local')
    await until('the outcome', () => outcomes.length === 1, slow)
    await until(
      'the second review',
      () => cache.ticket('local', `${taskId}:review-2`)?.state === 'open',
      slow,
    )
    const { task } = await other.call('task.get', { task: taskId })
    expect(cache.task('local', taskId)).toEqual(task)
    expect(await happened('continued')).toBe(1)
  })
})

const lost = () => new AppError({ code: 'connection_lost', message: 'The connection broke.' })
