import Database from 'better-sqlite3'
import fs from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sampleTask, sampleTicket, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { until } from '../../../tests/support/until.ts'
import { type AppError } from '../../../shared/errors.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { openCache } from '../cache/open-cache.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import { createOutbox } from './outbox.ts'

const approve = { kind: 'approve' } as const
const idOf = (n: number) => `${TASK_ID}:per_${n}`
const TICKETS = Array.from({ length: 400 }, (_, n) => sampleTicket({ id: idOf(n) }))

describe('the outbox and its file', () => {
  let folder: string
  let path: string
  let cache: Cache
  let isConnected: boolean
  let sent: { requestId: unknown; ticket: unknown; by: string }[]
  let hold: Promise<void> | undefined

  beforeEach(async () => {
    folder = await tempDirForTest()
    path = `${folder}/desk.db`
    isConnected = false
    sent = []
    hold = undefined
    cache = openCache({ path: `${folder}/cache.db` })
    onTestFinished(cache.dispose)
    const task = sampleTask({ state: 'waiting_answer', lastSeq: 5 })
    cache.onSnapshot('box', { headSeq: 5, tasks: [task], tickets: TICKETS })
  })

  function open(name = 'desk', more: Partial<Parameters<typeof createOutbox>[0]> = {}) {
    const problems: AppError[] = []
    const outcomes: [OutboxEntry, Decision][] = []
    const call = (async (_name: string, input: { requestId: string; ticket: string }) => {
      sent.push({ requestId: input.requestId, ticket: input.ticket, by: name })
      await hold
      return {
        kind: 'applied',
        ticket: sampleTicket({ id: input.ticket, state: 'answered', answer: approve }),
      }
    }) as unknown as ReturnType<HostService['call']>
    const outbox = createOutbox({
      path,
      cache,
      hosts: {
        call: () => call,
        get: () => ({
          name: 'box',
          isLocal: false,
          address: 'ssh://box',
          state: isConnected ? { kind: 'live', since: 1 } : { kind: 'connecting' },
        }),
      },
      onProblem: (problem) => problems.push(problem),
      retry: { firstMs: 1, maxMs: 5 },
      ...more,
    })
    outbox.onOutcome((entry, decision) => outcomes.push([entry, decision]))
    onTestFinished(outbox.dispose)
    const give = (n: number) => outbox.answer({ host: 'box', ticketId: idOf(n), answer: approve })
    const waiting = () => outbox.list().map(({ ticketId }) => ticketId)
    return { outbox, problems, outcomes, give, waiting }
  }

  const keptNow = () => {
    const db = new Database(path, { readonly: true })
    const ids = db
      .prepare('SELECT ticket_id FROM outbox WHERE finished_at IS NULL ORDER BY seq')
      .pluck()
      .all()
    db.close()
    return ids
  }

  /** As a failing disk does: what was written before is something else now. */
  function harm(): Buffer {
    const checkpoint = new Database(path)
    checkpoint.pragma('wal_checkpoint(TRUNCATE)')
    checkpoint.close()
    fs.writeFileSync(path, Buffer.alloc(fs.statSync(path).size, 0xa5), { flag: 'r+' })
    return fs.readFileSync(path)
  }

  it('that is damaged while the desk runs is set aside, and every answer is kept in a new one', async () => {
    const { give, waiting, problems, outbox, outcomes } = open()
    for (let n = 0; n < 30; n += 1) await give(n)
    const harmed = harm()
    outbox.checkFile()
    await give(30)
    expect(waiting()).toEqual(Array.from({ length: 31 }, (_, n) => idOf(n)))
    expect(keptNow()).toEqual(waiting())
    const [problem] = problems
    expect(problem).toMatchObject({ code: 'database_unusable', hint: expect.any(String) })
    const aside = String(problem?.details?.['setAside'])
    expect(fs.readFileSync(aside).equals(harmed)).toBe(true)
    expect(fs.statSync(path).mode & 0o777).toBe(0o600)
    // Nothing is sent twice afterwards, and nothing is lost.
    isConnected = true
    outbox.flush('box')
    await until('all to be sent', () => outcomes.length === 31)
    expect(new Set(sent.map(({ ticket }) => ticket)).size).toBe(31)
    expect(keptNow()).toEqual([])
  })

  it('that turns out to be damaged by the very answer is replaced, and the answer is kept', async () => {
    const { give, problems } = open()
    for (let n = 0; n < 120; n += 1) await give(n)
    // Another program's writing makes SQLite read everything again.
    const other = new Database(path)
    other.exec('CREATE TABLE more (x); DROP TABLE more')
    other.close()
    harm()
    expect((await give(120)).kind).toBe('queued')
    expect(keptNow()).toEqual(Array.from({ length: 121 }, (_, n) => idOf(n)))
    expect(problems.map(({ code }) => code)).toEqual(['database_unusable'])
  })

  it('that was taken away is made again with what waits', async () => {
    const { give, problems } = open()
    await give(1)
    for (const end of ['', '-wal', '-shm']) fs.rmSync(`${path}${end}`, { force: true })
    await give(2)
    expect(keptNow()).toEqual([idOf(1), idOf(2)])
    expect(problems).toEqual([])
  })

  it('that is full says so, and does not pretend that an answer was kept', async () => {
    const { give, waiting } = open('desk', { maxPages: 24 })
    let kept = 0
    const filling = async () => {
      for (; kept < 400; kept += 1) await give(kept)
    }
    await expect(filling()).rejects.toMatchObject({ code: 'disk_full', hint: expect.any(String) })
    expect(kept).toBeGreaterThan(5)
    expect(waiting()).toHaveLength(kept)
    expect(keptNow()).toEqual(waiting())
    expect(open('after a restart').waiting()).toEqual(waiting())
  })

  it('writes down later what became of an answer while the disk was full', async () => {
    const { outbox, give, outcomes, waiting } = open()
    await give(1)
    const other = new Database(path)
    onTestFinished(() => void other.close())
    other.exec('BEGIN IMMEDIATE')
    isConnected = true
    outbox.flush('box')
    await until('the outcome', () => outcomes.length === 1)
    other.exec('ROLLBACK')
    expect([waiting(), keptNow()]).toEqual([[], [idOf(1)]])
    await give(2)
    expect(keptNow()).toEqual([])
  })

  it('is shared by two desks: each sees what the other keeps and takes back', async () => {
    const [one, two] = [open('one'), open('two')]
    await one.give(1)
    await until('the other to see it', () => two.waiting().length === 1)
    await expect(two.give(1)).rejects.toMatchObject({ code: 'bad_request' })
    await two.give(2)
    await until('the first to see it', () => one.waiting().length === 2)
    const [first] = two.outbox.list()
    expect(two.outbox.discard(first?.id ?? '')).toBe(true)
    await until('the first to see that', () => one.waiting().join() === idOf(2))
    expect(one.outbox.discard(first?.id ?? '')).toBe(false)
    expect(keptNow()).toEqual([idOf(2)])
  })

  it('is sent by one of two desks only, and both hear of it', async () => {
    const [one, two] = [open('one'), open('two')]
    for (let n = 0; n < 20; n += 1) await (n % 2 === 0 ? one : two).give(n)
    isConnected = true
    for (let turn = 0; turn < 5; turn += 1) for (const { outbox } of [one, two]) outbox.flush('box')
    await until('both to hear of all', () => [one, two].every(({ outcomes }) => outcomes.length === 20))
    expect(sent.map(({ ticket }) => ticket).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => idOf(n)).sort(),
    )
    expect([one.waiting(), two.waiting(), keptNow()]).toEqual([[], [], []])
  })

  it('does not take back in one desk what the other one is sending', async () => {
    const [one, two] = [open('one'), open('two')]
    let release: () => void = () => undefined
    hold = new Promise((resolve) => (release = resolve))
    isConnected = true
    const answering = one.give(1)
    await until('it to be sent', () => sent.length === 1)
    await until('the other to see it', () => two.outbox.list()[0]?.state === 'sending')
    two.outbox.flush('box')
    expect(two.outbox.discard(two.outbox.list()[0]?.id ?? '')).toBe(false)
    release()
    expect((await answering).kind).toBe('applied')
    await until('the other to hear of it', () => two.outcomes.length === 1)
    expect(sent).toHaveLength(1)
  })

  it.each([-3_600_000, 3_600_000])(
    'is sent once by two desks whose clock is set by %d ms meanwhile',
    async (jumpMs) => {
      let at = 1_700_000_000_000
      const now = () => at
      const [one, two] = [open('one', { now }), open('two', { now })]
      let release: () => void = () => undefined
      hold = new Promise((resolve) => (release = resolve))
      await one.give(1)
      isConnected = true
      one.outbox.flush('box')
      await until('it to be sent', () => sent.length === 1)
      at += jumpMs
      await until('the other to see it', () => two.outbox.list()[0]?.state === 'sending')
      two.outbox.flush('box')
      await two.give(2).catch(() => undefined)
      release()
      await until('both to hear of it', () => [one, two].every(({ waiting }) => waiting().length === 0))
      expect(sent.map(({ ticket }) => ticket)).toEqual([idOf(1), idOf(2)])
    },
  )

  it('is taken on by the other desk when the one that kept an answer or was sending it has ended', async () => {
    const one = open('one')
    const two = open('two', { isAlive: () => false })
    let release: () => void = () => undefined
    hold = new Promise((resolve) => (release = resolve))
    onTestFinished(() => release())
    isConnected = true
    void one.give(1).catch(() => undefined)
    await until('it to be sent', () => sent.length === 1)
    hold = undefined
    two.outbox.flush('box')
    await until('the other to send it', () => two.outcomes.length === 1)
    expect(sent.map(({ by }) => by)).toEqual(['one', 'two'])
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(1)
  })

  it('that one desk has replaced is followed by the other', async () => {
    const [one, two] = [open('one'), open('two')]
    await one.give(1)
    await until('the other to see it', () => two.waiting().length === 1)
    harm()
    one.outbox.checkFile()
    await two.give(2)
    await until('both to see both', () => [one, two].every(({ waiting }) => waiting().length === 2))
    expect(keptNow()).toEqual([idOf(1), idOf(2)])
  })
})
