import { describe, expect, it, onTestFinished } from 'vitest'
import {
  permission,
  question,
  reviewer,
  sampleTask,
  sampleTicket,
  user,
} from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { inboxRowSchema, taskRowSchema } from '../../../shared/ipc/views.ts'
import type { WireEvent } from '../../../shared/protocol/records.ts'
import { openCache, type CacheOptions } from './open-cache.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const id = (n: number) => `3fa2c0de-0000-4000-8000-${String(n).padStart(12, '0')}`
const taskNo = (n: number, change: Partial<Task> = {}) =>
  sampleTask({ id: id(n), state: 'running', createdAt: 1_000 + n, lastSeq: n, ...change })
const ticketNo = (n: number, own: string, change: Partial<Ticket> = {}) =>
  sampleTicket({ id: `${id(n)}:${own}`, taskId: id(n), openedAt: 2_000 + n, ...change })
const event = (seq: number, n: number, type: string, body: Record<string, unknown> = {}): WireEvent => ({
  seq,
  taskId: id(n),
  at: 5_000 + seq,
  type,
  body,
})
const asks = (seq: number, n: number, own = 'per_1') =>
  event(seq, n, 'permission_request', {
    ticketId: `${id(n)}:${own}`,
    audience: 'reviewer',
    ask: permission(),
  })

async function cacheForTest(options: Partial<CacheOptions> = {}) {
  const path = options.path ?? `${await tempDirForTest()}/desk/cache.db`
  const cache = openCache({ path, ...options })
  onTestFinished(cache.dispose)
  return { cache, path }
}
type Cache = Awaited<ReturnType<typeof cacheForTest>>['cache']

const all = { offset: 0, limit: 500 }
const keys = (cache: Cache) => cache.inbox(all).rows.map(({ section, key }) => `${section} ${key.slice(-8)}`)

describe('the cache', () => {
  it('says in the row of a review how large it is and how the last command on it ended', async () => {
    const { cache } = await cacheForTest()
    const changes = { files: 2, added: 30, removed: 4 }
    cache.onSnapshot('local', {
      headSeq: 1,
      tasks: [taskNo(1, { state: 'waiting_review', changes })],
      tickets: [ticketNo(1, 'review-1', { ask: { kind: 'review', round: 1, text: 'done' } })],
    })
    expect(cache.inbox(all).rows[0]).toMatchObject({ changes })
    const ran = { command: 'npm test', exitCode: 0, timedOut: false, by: user }
    cache.onEvents('local', [event(2, 1, 'ran', ran)])
    const lastRun = { command: 'npm test', ok: true, at: 5_002 }
    expect(cache.inbox(all).rows[0]).toMatchObject({ changes, lastRun })
    expect(cache.tasks(all).rows[0]).toMatchObject({ changes, lastRun })
  })

  it('orders the inbox: what waits longest first, reviews and trouble newest first', async () => {
    const { cache } = await cacheForTest({ now: () => 10_000 })
    const forUser = { audience: 'user' as const }
    const review = (n: number): Partial<Ticket> => ({ ask: { kind: 'review', round: 1, text: `done ${n}` } })
    cache.onSnapshot('local', {
      headSeq: 9,
      tasks: [
        taskNo(1),
        taskNo(2),
        taskNo(3, { stalledSince: 7_000 }),
        taskNo(4, { offlineSince: 8_000, stalledSince: 9_500 }),
        taskNo(5, { state: 'failed', endedAt: 9_000 }),
        taskNo(6, { state: 'cancelled', endedAt: 9_000 }),
      ],
      tickets: [
        ticketNo(2, 'que_u', forUser),
        ticketNo(1, 'per_u', { ...forUser, ask: permission('dangerous') }),
        ticketNo(2, 'per_r'),
        ticketNo(1, 'review-1', review(1)),
        ticketNo(2, 'review-1', review(2)),
        ticketNo(1, 'per_x', { state: 'delivered' }),
      ],
    })
    expect(keys(cache)).toEqual([
      'needs_you 01:per_u',
      'needs_you 02:que_u',
      'reviewer 02:per_r',
      'to_review 00000005',
      'to_review review-1',
      'to_review review-1',
      'offline 00000004',
      'offline 00000003',
    ])
    const { rows, sections, total } = cache.inbox(all)
    expect(rows.map(({ kind }) => kind)).toEqual([
      ...['command', 'question', 'question', 'failed', 'review', 'review', 'offline', 'stalled'],
    ])
    expect(rows[4]?.taskId).toBe(id(2))
    for (const row of rows) inboxRowSchema.parse(row)
    expect(total).toBe(8)
    expect(sections).toEqual([
      { section: 'needs_you', count: 2 },
      { section: 'reviewer', count: 1 },
      { section: 'to_review', count: 3 },
      { section: 'offline', count: 2 },
    ])
    expect(cache.counts('local')).toEqual({
      needsYou: 2,
      reviewer: 1,
      toReview: 3,
      offline: 2,
      running: 4,
      open: 4,
    })
    expect(cache.counts('elsewhere')).toMatchObject({ needsYou: 0, open: 0 })
    expect(cache.openTickets().map(({ ticket }) => ticket.openedAt)).toEqual([
      2_001, 2_001, 2_002, 2_002, 2_002,
    ])
    expect(cache.troubled().map(({ kind, since }) => [kind, since])).toEqual([
      ['offline', 8_000],
      ['stalled', 7_000],
      ['failed', 9_000],
    ])
  })

  it('gives the same rows whole and in windows, filtered and not', async () => {
    const { cache } = await cacheForTest()
    const tasks = Array.from({ length: 40 }, (_, n) =>
      taskNo(n, {
        title: n % 3 === 0 ? `Größe ${n}` : `Add ${n}`,
        state: n % 2 === 0 ? 'running' : 'completed',
      }),
    )
    const tickets = tasks.map((_, n) => ticketNo(n, 'per_1', { audience: n % 5 === 0 ? 'user' : 'reviewer' }))
    cache.onSnapshot('local', { headSeq: 1, tasks: tasks.slice(0, 25), tickets: tickets.slice(0, 25) })
    cache.onSnapshot('box', { headSeq: 1, tasks: tasks.slice(25), tickets: tickets.slice(25) })
    const filters = [
      {},
      { host: 'box' },
      { text: 'GRÖSSE' },
      { text: 'größe' },
      { text: 'add box' },
      { text: '%_' },
      { host: 'local', text: 'add' },
    ]
    for (const filter of filters) {
      const wholeTasks = cache.tasks({ ...filter, ...all })
      const wholeInbox = cache.inbox({ ...filter, ...all })
      expect(wholeTasks.total).toBe(wholeTasks.rows.length)
      expect(wholeInbox.total).toBe(wholeInbox.rows.length)
      const [someTasks, someRows] = [[] as unknown[], [] as unknown[]]
      for (let offset = 0; offset < 45; offset += 7) {
        someTasks.push(...cache.tasks({ ...filter, offset, limit: 7 }).rows)
        someRows.push(...cache.inbox({ ...filter, offset, limit: 7 }).rows)
      }
      expect(someTasks).toEqual(wholeTasks.rows)
      expect(someRows).toEqual(wholeInbox.rows)
    }
    expect(cache.tasks({ text: 'größe', ...all }).total).toBe(14)
    expect(cache.tasks({ states: ['completed'], host: 'box', ...all })).toMatchObject({ total: 8 })
    expect(cache.tasks({ states: ['completed'], text: 'add', ...all }).total).toBe(13)
    expect(cache.inbox({ section: 'needs_you', ...all }).sections).toEqual([
      { section: 'needs_you', count: 8 },
    ])
    const newest = cache.tasks({ offset: 0, limit: 2 }).rows
    expect(newest.map((row) => taskRowSchema.parse(row).taskId)).toEqual([id(39), id(38)])
  })

  it('follows events and moves the resume point with them', async () => {
    const { cache, path } = await cacheForTest()
    const heard: unknown[] = []
    cache.onChange(({ host, tasks }) => heard.push([host, tasks === 'all' ? tasks : [...tasks]]))
    expect(cache.resumePoint('local')).toBeUndefined()
    cache.onSnapshot('local', { headSeq: 10, tasks: [taskNo(1)], tickets: [] })
    cache.onEvents('local', [asks(11, 1), event(12, 1, 'stalled', { silentMs: 1 })])
    // The same again, as after a connection that broke before it was acknowledged.
    cache.onEvents('local', [asks(11, 1), event(12, 1, 'stalled', { silentMs: 1 })])
    expect(cache.task('local', id(1))).toMatchObject({ state: 'waiting_answer', openTickets: 1, lastSeq: 12 })
    expect(keys(cache)).toEqual(['reviewer 01:per_1', 'offline 00000001'])
    cache.onEvents('local', [
      event(13, 1, 'answered', { ticketId: `${id(1)}:per_1`, answer: { kind: 'approve' }, by: user }),
    ])
    expect(keys(cache)).toEqual([])
    expect(cache.ticketsOf('local', id(1))).toMatchObject([{ state: 'answered', answeredBy: user }])
    expect(heard).toEqual([
      ['local', 'all'],
      ['local', [`local/${id(1)}`]],
      ['local', [`local/${id(1)}`]],
    ])
    cache.dispose()
    const again = await cacheForTest({ path })
    expect(again.cache.resumePoint('local')).toBe(13)
    expect(again.cache.task('local', id(1))).toMatchObject({ state: 'running', openTickets: 0 })
    expect(again.cache.counts('local')).toMatchObject({ reviewer: 0, offline: 0, running: 1 })
  })

  it('asks for tasks it does not know, once more after a restart, and not for ever', async () => {
    const { cache, path } = await cacheForTest()
    const asked: string[] = []
    cache.onUnknownTask((host, taskId) => asked.push(`${host}/${taskId}`))
    cache.onWelcome('local', id(99))
    cache.onEvents('local', [
      event(1, 1, 'dispatched', { title: 'x', executor: 'demo', by: reviewer }),
      { ...event(2, 2, 'note'), taskId: '../../etc' },
    ])
    expect(asked).toEqual([`local/${id(1)}`])
    expect(cache.resumePoint('local')).toBe(2)
    cache.dispose()
    const { cache: later } = await cacheForTest({ path })
    later.onUnknownTask((host, taskId) => asked.push(`${host}/${taskId}`))
    for (let welcome = 0; welcome < 8; welcome += 1) later.onWelcome('local', id(99))
    expect(asked).toHaveLength(6)
    later.put('local', taskNo(1))
    expect(later.tasks(all).total).toBe(1)
  })

  it('wants a snapshot when events are missing, and says so to whoever keeps the connection', async () => {
    const { cache } = await cacheForTest()
    cache.onSnapshot('local', { headSeq: 10, tasks: [taskNo(1)], tickets: [] })
    expect(() => cache.onEvents('local', [asks(13, 1)])).toThrow(/gap/)
    expect(cache.resumePoint('local')).toBeUndefined()
    expect(cache.ticket('local', `${id(1)}:per_1`)?.state).toBe('open')
    cache.onSnapshot('local', { headSeq: 3, tasks: [taskNo(2)], tickets: [] })
    expect(cache.resumePoint('local')).toBe(3)
    expect(cache.task('local', id(1))).toBeUndefined()
  })

  it('never goes back: neither a task nor a ticket', async () => {
    const { cache } = await cacheForTest()
    cache.put('local', taskNo(1, { lastSeq: 20, title: 'new' }), [ticketNo(1, 'per_1')])
    cache.put('local', taskNo(1, { lastSeq: 19, title: 'old' }), [])
    expect(cache.task('local', id(1))?.title).toBe('new')
    cache.put('local', taskNo(1, { lastSeq: 20, title: 'same place' }))
    expect(cache.inbox(all).rows).toMatchObject([{ taskTitle: 'same place' }])
    cache.putTicket('local', ticketNo(1, 'per_1', { state: 'delivered' }))
    cache.putTicket('local', ticketNo(1, 'per_1'))
    expect(cache.ticket('local', `${id(1)}:per_1`)?.state).toBe('delivered')
    expect(cache.inbox(all).total).toBe(0)
    cache.putTicket('local', ticketNo(2, 'per_1'))
    expect(cache.ticket('local', `${id(2)}:per_1`)).toBeUndefined()
  })

  it('takes no ticket of one task under the id of another', async () => {
    const { cache } = await cacheForTest()
    const [one, other] = [taskNo(1), taskNo(2)]
    cache.onSnapshot('local', { headSeq: 9, tasks: [one, other], tickets: [] })
    const { body, ...asked } = asks(10, 1)
    cache.onEvents('local', [{ ...asked, body: { ...body, ticketId: `${id(2)}:per_1` } }])
    cache.put('local', other, [ticketNo(1, 'per_2')])
    expect(keys(cache)).toEqual([])
  })

  it('says of nothing that it has changed when the same is put again', async () => {
    const { cache } = await cacheForTest()
    const asked = () => ticketNo(1, 'per_1', { ask: permission() })
    cache.put('local', taskNo(1), [asked()])
    const changes: unknown[] = []
    cache.onChange((tasks) => changes.push(tasks))
    cache.put('local', taskNo(1), [asked()])
    cache.putTicket('local', asked())
    expect(changes).toEqual([])
    cache.put('local', taskNo(1), [{ ...asked(), audience: 'user' }])
    cache.put('local', taskNo(1, { title: 'Another' }), [])
    expect(changes).toHaveLength(2)
  })

  it('takes what waits out of the inbox when the host says that its task is over', async () => {
    const { cache } = await cacheForTest()
    cache.onSnapshot('local', { headSeq: 5, tasks: [taskNo(1)], tickets: [ticketNo(1, 'per_1')] })
    cache.put('local', taskNo(1, { state: 'cancelled', lastSeq: 8 }))
    expect(cache.inbox(all).total).toBe(0)
    expect(cache.openTickets()).toEqual([])
  })

  it('shows a failure for a day, or until the person has opened the task, also after a snapshot', async () => {
    let now = 1_000_000
    const { cache } = await cacheForTest({ now: () => now })
    const failed = (n: number) => taskNo(n, { state: 'failed', endedAt: now })
    const snapshot = { headSeq: 1, tasks: [failed(1), failed(2)], tickets: [] }
    cache.markSeen('local', id(1))
    cache.onSnapshot('local', snapshot)
    expect(cache.counts('local').toReview).toBe(2)
    cache.markSeen('local', id(1))
    expect(keys(cache)).toEqual(['to_review 00000002'])
    cache.onSnapshot('local', snapshot)
    expect(keys(cache)).toEqual(['to_review 00000002'])
    now += DAY_MS
    expect(keys(cache)).toEqual([])
    expect(cache.counts('local').toReview).toBe(0)
    expect(cache.troubled()).toEqual([])
  })

  it('drops what it keeps of a host that turns out to be another machine', async () => {
    const { cache } = await cacheForTest()
    cache.onWelcome('box', id(1))
    cache.onSnapshot('box', { headSeq: 5, tasks: [taskNo(1)], tickets: [ticketNo(1, 'per_1')] })
    cache.onSnapshot('local', { headSeq: 6, tasks: [taskNo(1)], tickets: [] })
    cache.onWelcome('box', id(1))
    expect(cache.resumePoint('box')).toBe(5)
    cache.onWelcome('box', id(2))
    expect([cache.resumePoint('box'), cache.hostId('box'), cache.inbox(all).total]).toEqual([
      undefined,
      id(2),
      0,
    ])
    cache.forget('local')
    expect(cache.tasks(all).total).toBe(0)
  })

  it('writes lines anew when a task gets other words', async () => {
    const { cache } = await cacheForTest()
    const task = taskNo(1, { state: 'pending' })
    cache.onSnapshot('local', {
      headSeq: 1,
      tasks: [task],
      tickets: [ticketNo(1, 'que_1', { ask: question() })],
    })
    cache.onEvents('local', [
      event(2, 1, 'submitted', { worktree: '/w', branch: 'handoff/other', base: 'c'.repeat(40) }),
    ])
    expect(cache.inbox({ text: 'handoff/other', ...all }).total).toBe(1)
    expect(cache.tasks({ text: 'handoff/OTHER', ...all }).rows).toMatchObject([{ branch: 'handoff/other' }])
  })

  it('cuts the title at its first line and tears no character', async () => {
    const { cache } = await cacheForTest()
    const ask = { ...permission(), text: `\n  \n${'x'.repeat(299)}😀tail\nsecond` }
    const options = ['a', 'b', 'c', 'd'].map((label) => ({ label }))
    cache.onSnapshot('local', {
      headSeq: 1,
      tasks: [taskNo(1)],
      tickets: [
        ticketNo(1, 'per_1', { ask }),
        ticketNo(1, 'que_1', { ask: question({ text: ' \n\t', options }) }),
      ],
    })
    const [first, second] = cache.inbox(all).rows
    expect(first?.title).toBe('x'.repeat(299))
    expect(second).toMatchObject({ title: '', options: ['a', 'b', 'c'] })
  })

  it('names the repositories of this machine, newest first', async () => {
    const { cache } = await cacheForTest({ clientId: 'me' })
    const repo = (path: string) => ({ kind: 'path' as const, path, name: 'x' })
    const origin = (clientId: string) => ({ clientId, machine: 'm', repoPath: '/here' })
    cache.onSnapshot('local', {
      headSeq: 1,
      tasks: [
        taskNo(1, { repo: repo('/a') }),
        taskNo(2, { repo: repo('/b') }),
        taskNo(3, { repo: repo('/a') }),
      ],
      tickets: [],
    })
    cache.onSnapshot('box', {
      headSeq: 1,
      tasks: [
        taskNo(4, { repo: repo('/far'), origin: origin('me') }),
        taskNo(5, { origin: origin('other') }),
      ],
      tickets: [],
    })
    expect(cache.repositories()).toEqual(['/here', '/a', '/b'])
  })
})
