import Database from 'better-sqlite3'
import fs from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { reviewer, sampleTask, sampleTicket, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { until } from '../../../tests/support/until.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { AppError, type ErrorCode } from '../../../shared/errors.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import type { HostState } from '../../../shared/ipc/views.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import { openCache } from '../cache/open-cache.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService, KnownHost } from '../hosts/types.ts'
import { createOutbox } from './outbox.ts'

type Sent = { name: string; input: Record<string, unknown> }
const HOST_ID = '00000000-0000-4000-8000-000000000001'
const TICKET = `${TASK_ID}:per_1`
const approve = { kind: 'approve' } as const
const inLive: HostState = { kind: 'live', since: 1 }
const inOffline: HostState = {
  kind: 'offline',
  since: 1,
  error: { code: 'connection_lost', message: 'gone' },
}
const failing = (code: ErrorCode) => () => Promise.reject(new AppError({ code, message: code }))

/** A host that answers calls as the test says and remembers request ids as agentd does. */
function fakeHost(name = 'box') {
  const sent: Sent[] = []
  const carriedOut = new Map<unknown, unknown>()
  let reply: (call: Sent) => unknown = answerOf
  const known: KnownHost = { name, isLocal: false, address: 'ssh://box', state: inLive, hostId: HOST_ID }
  const hosts = {
    get: (host: string) => (host === name ? known : undefined),
    call: () =>
      (async (callName: string, input: Record<string, unknown>) => {
        const call = { name: callName, input: structuredClone(input) }
        sent.push(call)
        const result = await reply(call)
        if (!carriedOut.has(input['requestId'])) carriedOut.set(input['requestId'], result)
        return carriedOut.get(input['requestId'])
      }) as ReturnType<HostService['call']>,
  }
  return {
    hosts,
    sent,
    carriedOut,
    known,
    replies(next: (call: Sent) => unknown): void {
      reply = next
    },
    goes(state: HostState): void {
      known.state = state
    },
  }
}

const answerOf = ({ name, input }: Sent): unknown =>
  name === 'ticket.answer'
    ? {
        kind: 'applied',
        ticket: ticketOf(input['ticket'] as string, input['answer'] as Ticket['answer']),
        seq: 9,
      }
    : { task: sampleTask({ state: 'running', round: 2, lastSeq: 30 }), seq: 30 }

const ticketOf = (id: string, answer: Ticket['answer']): Ticket =>
  sampleTicket({ id, state: 'answered', answer, answeredBy: reviewer })

describe('the outbox', () => {
  let path: string
  let cache: Cache
  let host: ReturnType<typeof fakeHost>

  beforeEach(async () => {
    const folder = await tempDirForTest()
    path = `${folder}/desk.db`
    host = fakeHost()
    cache = openCache({ path: `${folder}/cache.db` })
    onTestFinished(cache.dispose)
    const tickets = ['per_1', 'per_2', 'per_3'].map((own) => sampleTicket({ id: `${TASK_ID}:${own}` }))
    cache.onSnapshot('box', {
      headSeq: 5,
      tasks: [sampleTask({ state: 'waiting_answer', lastSeq: 5 })],
      tickets,
    })
  })

  function open(more: Partial<Parameters<typeof createOutbox>[0]> = {}) {
    const problems: AppError[] = []
    const outcomes: [OutboxEntry, Decision][] = []
    const outbox = createOutbox({
      path,
      hosts: host.hosts,
      cache,
      onProblem: (problem) => problems.push(problem),
      retry: { firstMs: 1, maxMs: 5 },
      ...more,
    })
    outbox.onOutcome((entry, decision) => outcomes.push([entry, decision]))
    onTestFinished(outbox.dispose)
    return { outbox, problems, outcomes }
  }

  /** Opens what lies on the disk at this moment, as after a kill. */
  function openAfterKill() {
    const copy = `${path}.${Math.random().toString(36).slice(2)}`
    for (const end of ['', '-wal'])
      if (fs.existsSync(`${path}${end}`)) fs.copyFileSync(`${path}${end}`, `${copy}${end}`)
    // That desk is gone, although this process goes on; what it left is sent when the test says so.
    return open({ path: copy, isAlive: () => false, retry: { firstMs: 3_600_000, maxMs: 3_600_000 } })
  }

  it('sends an answer once, tells its outcome, and the cache knows it', async () => {
    const { outbox, outcomes } = open()
    const states: string[] = []
    outbox.onChange(() => states.push(outbox.list()[0]?.state ?? 'gone'))
    const ask = cache.ticket('box', TICKET)?.ask
    const seen = ask && askDigest(ask)
    const decision = await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    expect(decision).toMatchObject({ kind: 'applied', ticket: { state: 'answered' } })
    expect(host.sent).toEqual([
      {
        name: 'ticket.answer',
        input: { requestId: expect.any(String), ticket: TICKET, answer: approve, seen },
      },
    ])
    expect(cache.ticket('box', TICKET)?.state).toBe('answered')
    expect(states).toEqual(['queued', 'sending', 'gone'])
    // Who gave it has been told; nobody else needs to be.
    expect(outcomes).toEqual([])
  })

  it.each(['already_answered', 'expired'] as const)('passes on that it was %s', async (kind) => {
    host.replies(() => ({ kind, ticket: ticketOf(TICKET, { kind: 'deny', stop: false }) }))
    const { outbox } = open()
    const decision = await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    expect(decision).toMatchObject({ kind, ticket: { answeredBy: reviewer } })
    expect(outbox.list()).toEqual([])
    expect(cache.ticket('box', TICKET)?.state).toBe('answered')
  })

  it('keeps what is answered offline and sends it in order when the host is back, one at a time per task', async () => {
    host.goes(inOffline)
    const { outbox, outcomes } = open()
    for (const own of ['per_2', 'per_1', 'per_3'])
      expect(
        await outbox.answer({ host: 'box', ticketId: `${TASK_ID}:${own}`, answer: approve }),
      ).toMatchObject({
        kind: 'queued',
        entry: { state: 'queued', ticketId: `${TASK_ID}:${own}` },
      })
    outbox.flush('box')
    expect(host.sent).toEqual([])
    let running = 0
    let most = 0
    host.replies(async (call) => {
      most = Math.max(most, (running += 1))
      await Promise.resolve()
      running -= 1
      return answerOf(call)
    })
    host.goes(inLive)
    for (let turn = 0; turn < 5; turn += 1) outbox.flush('box')
    await until('all three', () => outcomes.length === 3)
    expect(host.sent.map(({ input }) => input['ticket'])).toEqual(
      ['per_2', 'per_1', 'per_3'].map((own) => `${TASK_ID}:${own}`),
    )
    expect(most).toBe(1)
    expect(outcomes.map(([, { kind }]) => kind)).toEqual(['applied', 'applied', 'applied'])
    expect(outbox.list()).toEqual([])
  })

  it('sends under the same id again when the connection broke after it was sent', async () => {
    let tries = 0
    host.replies((call) => {
      tries += 1
      host.carriedOut.set(
        call.input['requestId'],
        host.carriedOut.get(call.input['requestId']) ?? answerOf(call),
      )
      return tries < 4 ? failing('connection_lost')() : answerOf(call)
    })
    const { outbox, outcomes } = open()
    const decision = await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    expect(decision).toMatchObject({ kind: 'queued', entry: { error: { code: 'connection_lost' } } })
    await until('the outcome', () => outcomes.length === 1)
    expect(new Set(host.sent.map(({ input }) => input['requestId'])).size).toBe(1)
    expect(host.sent).toHaveLength(4)
    expect(host.carriedOut.size).toBe(1)
    expect(outcomes[0]?.[1].kind).toBe('applied')
  })

  it('loses and doubles nothing wherever it is killed', async () => {
    host.goes(inOffline)
    const first = open()
    await first.outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    const kept = openAfterKill()
    expect(kept.outbox.list()).toMatchObject([{ ticketId: TICKET, state: 'queued', answer: approve }])
    host.goes(inLive)
    let whileSending: ReturnType<typeof open> | undefined
    host.replies((call) => {
      whileSending ??= openAfterKill()
      return answerOf(call)
    })
    first.outbox.flush('box')
    await until('the outcome', () => first.outcomes.length === 1)
    expect(whileSending?.outbox.list()).toMatchObject([{ state: 'queued' }])
    expect(openAfterKill().outbox.list()).toEqual([])
    // Both of those that were killed before they heard of it send it again.
    for (const killed of [kept, whileSending]) {
      killed?.outbox.flush('box')
      await until('the outcome', () => killed?.outcomes.length === 1)
      expect(killed?.outcomes[0]?.[1].kind).toBe('applied')
    }
    expect(host.sent).toHaveLength(3)
    expect(host.carriedOut.size).toBe(1)
  })

  it.each(['user_only', 'wrong_answer', 'rule_refused', 'ticket_not_found', 'forbidden'] as const)(
    'tells whoever waits that the host refuses: %s',
    async (code) => {
      host.replies(failing(code))
      const { outbox } = open()
      await expect(outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })).rejects.toMatchObject({
        code,
      })
      expect(outbox.list()).toEqual([])
      host.replies(answerOf)
      expect((await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })).kind).toBe('applied')
    },
  )

  it('shows what was refused while nobody waited, over a restart, until it is replaced or taken back', async () => {
    host.goes(inOffline)
    const { outbox, outcomes } = open()
    await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    host.goes(inLive)
    host.replies(failing('wrong_answer'))
    outbox.flush('box')
    await until('the refusal', () => outbox.of('box', TICKET)?.state === 'failed')
    outbox.flush('box')
    expect(host.sent).toHaveLength(1)
    expect(outcomes).toEqual([])
    const again = openAfterKill().outbox
    expect(again.list()).toMatchObject([{ state: 'failed', error: { code: 'wrong_answer' } }])
    expect(again.discard(again.list()[0]?.id ?? '')).toBe(true)
    expect(again.list()).toEqual([])
    host.replies(answerOf)
    expect((await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })).kind).toBe('applied')
    expect(outbox.list()).toEqual([])
  })

  it('refuses a second answer while one is on its way, until that is taken back', async () => {
    host.goes(inOffline)
    const { outbox } = open()
    await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    const deny = { host: 'box', ticketId: TICKET, answer: { kind: 'deny', stop: true } } as const
    await expect(outbox.answer(deny)).rejects.toMatchObject({ code: 'bad_request', hint: expect.any(String) })
    const [entry] = outbox.list()
    expect(outbox.discard(entry?.id ?? '')).toBe(true)
    expect(outbox.discard(entry?.id ?? '')).toBe(false)
    expect((await outbox.answer(deny)).kind).toBe('queued')
    expect(openAfterKill().outbox.list()).toMatchObject([{ answer: { kind: 'deny', stop: true } }])
  })

  it('does not take back what is being sent', async () => {
    let release: (() => void) | undefined
    host.replies(async (call) => {
      await new Promise<void>((resolve) => (release = resolve))
      return answerOf(call)
    })
    const { outbox } = open()
    const answering = outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    await until('it to be sent', () => release)
    expect(outbox.discard(outbox.list()[0]?.id ?? '')).toBe(false)
    release?.()
    expect((await answering).kind).toBe('applied')
  })

  it('gives up on a host that fails by itself again and again, but not on the way to it', async () => {
    host.replies(failing('internal'))
    const { outbox } = open()
    expect((await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })).kind).toBe('queued')
    await until('it to give up', () => outbox.of('box', TICKET)?.state === 'failed')
    expect(host.sent).toHaveLength(5)
    host.replies(failing('timeout'))
    await outbox.answer({ host: 'box', ticketId: `${TASK_ID}:per_2`, answer: approve })
    await until('many tries', () => host.sent.length > 15)
    expect(outbox.of('box', `${TASK_ID}:per_2`)?.state).not.toBe('failed')
  })

  it('does not send what another desk of the same home has taken back', async () => {
    host.goes(inOffline)
    const { outbox } = open()
    await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    const other = open().outbox
    expect(outbox.discard(outbox.list()[0]?.id ?? '')).toBe(true)
    host.goes(inLive)
    other.flush('box')
    await until('the other to know', () => other.list().length === 0)
    expect(host.sent).toEqual([])
  })

  it('does not give an answer to something else that is asked under the same id since', async () => {
    host.goes(inOffline)
    const { outbox } = open()
    await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    // As a host does that was restored from a backup.
    const restored = sampleTicket({ id: TICKET })
    const ask = { ...restored.ask, text: 'rm -rf build' } as Ticket['ask']
    cache.onSnapshot('box', {
      headSeq: 4,
      tasks: [sampleTask({ state: 'waiting_answer', lastSeq: 4 })],
      tickets: [{ ...restored, ask }],
    })
    host.goes(inLive)
    outbox.flush('box')
    await until('the refusal', () => outbox.of('box', TICKET)?.state === 'failed')
    expect(outbox.of('box', TICKET)?.error?.code).toBe('wrong_answer')
    expect(host.sent).toEqual([])
  })

  it('says of what was being sent when it was killed that it may have arrived', async () => {
    let release: (() => void) | undefined
    host.replies(async (call) => {
      await new Promise<void>((resolve) => (release = resolve))
      return answerOf(call)
    })
    const { outbox } = open()
    const answering = outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    await until('it to be sent', () => release)
    const [entry] = openAfterKill().outbox.list()
    expect(entry).toMatchObject({ state: 'queued', error: { code: 'connection_lost' } })
    release?.()
    await answering
  })

  it('sends nothing to another machine that got the name', async () => {
    host.goes(inOffline)
    const { outbox } = open()
    await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    host.known.hostId = '00000000-0000-4000-8000-000000000002'
    host.goes(inLive)
    outbox.flush('box')
    await until('the refusal', () => outbox.list()[0]?.state === 'failed')
    expect(outbox.list()[0]?.error?.code).toBe('host_unknown')
    expect(host.sent).toEqual([])
  })

  describe('with an instruction for a round', () => {
    const review = sampleTicket({
      id: `${TASK_ID}:review-1`,
      ask: { kind: 'review', round: 1, text: 'done' },
    })
    const more = { host: 'box', taskId: TASK_ID, text: 'Add tests.' }
    const inReview = sampleTask({ state: 'waiting_review', lastSeq: 20 })

    beforeEach(() => cache.put('box', inReview, [review]))

    it('sends it and knows the task as it is then', async () => {
      const { outbox } = open()
      const decision = await outbox.continueTask(more)
      expect(decision).toMatchObject({
        kind: 'applied',
        ticket: { id: review.id, answer: { text: 'Add tests.' } },
      })
      expect(cache.task('box', TASK_ID)).toMatchObject({ state: 'running', round: 2 })
    })

    it('does not give it to another round', async () => {
      host.goes(inOffline)
      const { outbox } = open()
      expect((await outbox.continueTask(more)).kind).toBe('queued')
      await expect(outbox.continueTask(more)).rejects.toMatchObject({ code: 'bad_request' })
      cache.put('box', { ...inReview, round: 2, lastSeq: 40 })
      host.goes(inLive)
      outbox.flush('box')
      await until('the refusal', () => outbox.ofTask('box', TASK_ID)[0]?.state === 'failed')
      expect(outbox.list()).toMatchObject([
        { error: { code: 'already_answered' }, answer: { kind: 'continue', text: 'Add tests.' } },
      ])
      expect(host.sent).toEqual([])
    })

    it('does not send it again when the host may have forgotten that it has it', async () => {
      let at = 1_700_000_000_000
      const { outbox } = open({ now: () => at, retry: { firstMs: 3_600_000, maxMs: 3_600_000 } })
      host.replies(failing('connection_lost'))
      expect((await outbox.continueTask(more)).kind).toBe('queued')
      at += 8 * 24 * 3_600_000
      outbox.flush('box')
      await until('the refusal', () => outbox.list()[0]?.state === 'failed')
      expect([host.sent.length, outbox.list()[0]?.error?.code]).toEqual([1, 'already_answered'])
    })

    it('tells that somebody else has answered the round', async () => {
      host.goes(inOffline)
      const { outbox, outcomes } = open()
      await outbox.continueTask(more)
      cache.putTicket('box', { ...review, state: 'answered', answer: { kind: 'done' }, answeredBy: reviewer })
      host.goes(inLive)
      outbox.flush('box')
      await until('the outcome', () => outcomes.length === 1)
      expect(outcomes[0]?.[1]).toMatchObject({ kind: 'already_answered', ticket: { answeredBy: reviewer } })
      expect(host.sent).toEqual([])
    })

    it('sends it again when its own confirmation was lost', async () => {
      let lose = true
      host.replies((call) => {
        host.carriedOut.set(call.input['requestId'], answerOf(call))
        return lose ? failing('connection_lost')() : answerOf(call)
      })
      const { outbox, outcomes } = open({ retry: { firstMs: 3_600_000, maxMs: 3_600_000 } })
      expect((await outbox.continueTask(more)).kind).toBe('queued')
      lose = false
      const answer = { kind: 'continue', text: more.text } as const
      cache.put('box', { ...inReview, round: 2, state: 'running', lastSeq: 30 }, [
        { ...review, state: 'answered', answer },
      ])
      outbox.flush('box')
      await until('the outcome', () => outcomes.length === 1)
      expect(outcomes[0]?.[1].kind).toBe('applied')
    })
  })

  it('says so when an answer cannot be kept, and sends nothing that is not', async () => {
    const { outbox } = open()
    const other = new Database(path)
    onTestFinished(() => void other.close())
    other.exec('BEGIN IMMEDIATE')
    const give = () => outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    await expect(give()).rejects.toMatchObject({ code: 'database_locked', hint: expect.any(String) })
    expect([outbox.list(), host.sent]).toEqual([[], []])
    other.exec('ROLLBACK')
    expect((await give()).kind).toBe('applied')
  })

  it('tells the outcome even when it cannot be written down, and asks again after a restart', async () => {
    const other = new Database(path)
    onTestFinished(() => void other.close())
    const { outbox, problems } = open()
    host.replies((call) => {
      other.exec('BEGIN IMMEDIATE')
      return answerOf(call)
    })
    const decision = await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    other.exec('ROLLBACK')
    expect([decision.kind, problems.map(({ code }) => code)]).toEqual(['applied', ['database_locked']])
    expect(outbox.list()).toEqual([])
    host.replies(answerOf)
    const again = openAfterKill()
    again.outbox.flush('box')
    await until('the outcome', () => again.outcomes.length === 1)
    expect([host.sent.length, host.carriedOut.size]).toEqual([2, 1])
  })

  it('refuses to answer a review like a ticket', async () => {
    const { outbox } = open()
    const answering = outbox.answer({ host: 'box', ticketId: TICKET, answer: { kind: 'done' } })
    await expect(answering).rejects.toMatchObject({ code: 'wrong_answer' })
  })

  it('ends while a call is under way, and sends it again next time', async () => {
    let aborted: (() => void) | undefined
    const call = ((_name: unknown, _input: unknown, options: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        aborted = () => undefined
        options.signal.addEventListener('abort', () =>
          reject(new AppError({ code: 'cancelled', message: 'cancelled' })),
        )
      })) as ReturnType<HostService['call']>
    const { outbox } = open({ hosts: { ...host.hosts, call: () => call } })
    const answering = outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
    await until('the call', () => aborted)
    await outbox.dispose()
    expect((await answering).kind).toBe('queued')
    expect(open().outbox.list()).toMatchObject([{ state: 'queued' }])
  })
})
