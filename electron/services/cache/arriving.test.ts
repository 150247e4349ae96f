import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sampleTask, sampleTicket, permission } from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import type { Snapshot, SnapshotPart } from '../../../shared/node/host-client/snapshot-reader.ts'
import { openCache } from './open-cache.ts'

const id = (n: number) => `3fa2c0de-0000-4000-8000-${String(n).padStart(12, '0')}`
const all = { offset: 0, limit: 500 }

function open(path: string) {
  const cache = openCache({ path, now: () => 10_000 })
  onTestFinished(cache.dispose)
  return cache
}
type Cache = ReturnType<typeof open>

/** Everything that can be seen of it. */
function face(cache: Cache) {
  const tasks = cache.tasks(all)
  return {
    place: cache.resumePoint('box'),
    tasks,
    inbox: cache.inbox(all),
    counts: [cache.counts('box'), cache.counts('local')],
    waiting: [...cache.openTickets()],
    troubled: cache.troubled(),
    tickets: tasks.rows.map(({ host, taskId }) => cache.ticketsOf(host, taskId)),
  }
}

/** The same snapshot in pieces, tickets where chance puts them. */
function cut(
  { headSeq, tasks, tickets }: Snapshot,
  cuts: { tasks: number; tickets: number }[],
): SnapshotPart[] {
  const parts: SnapshotPart[] = []
  let [task, ticket] = [0, 0]
  for (const size of cuts) {
    parts.push({
      headSeq,
      tasks: tasks.slice(task, task + size.tasks),
      tickets: tickets.slice(ticket, ticket + size.tickets),
      first: parts.length === 0,
      last: false,
    })
    task += size.tasks
    ticket += size.tickets
  }
  const rest = { headSeq, tasks: tasks.slice(task), tickets: tickets.slice(ticket) }
  return [...parts, { ...rest, first: parts.length === 0, last: true }]
}

/** Hands a part over as often as the cache wants it. */
function take(cache: Cache, part: SnapshotPart): void {
  let rest = part
  while (cache.onSnapshotPart('box', rest) === 'again')
    rest = { ...part, first: false, tasks: [], tickets: [] }
}

// Times differ by number, so that the order is decided by them and not by which row was written first.
const arbitraryTask = fc
  .record({
    n: fc.nat(12),
    title: fc.constantFrom('one', 'two'),
    state: fc.constantFrom<Task['state']>('running', 'failed', 'completed', 'waiting_answer'),
    stalled: fc.boolean(),
  })
  .map(({ n, title, state, stalled }) =>
    sampleTask({
      id: id(n),
      title,
      state,
      createdAt: 1_000 + n,
      ...(state === 'failed' ? { endedAt: 5_000 + n } : {}),
      ...(stalled ? { stalledSince: 6_000 + n } : {}),
    }),
  )
const arbitraryTicket = fc
  .record({
    n: fc.nat(12),
    own: fc.nat(2),
    isOpen: fc.boolean(),
    isForeign: fc.integer({ min: 0, max: 9 }),
    isUsers: fc.boolean(),
  })
  .map(({ n, own, isOpen, isForeign, isUsers }): Ticket => {
    const owner = isForeign === 0 ? n + 1 : n
    return sampleTicket({
      id: `${id(n)}:per_${own}`,
      taskId: id(owner),
      openedAt: 2_000 + n * 10 + own,
      state: isOpen ? 'open' : 'answered',
      audience: isUsers ? 'user' : 'reviewer',
      ask: permission(),
    })
  })
const arbitrarySnapshot = fc.record({
  headSeq: fc.nat(1_000),
  tasks: fc.array(arbitraryTask, { maxLength: 14 }),
  tickets: fc.array(arbitraryTicket, { maxLength: 20 }),
})
const arbitraryCuts = fc.array(fc.record({ tasks: fc.nat(4), tickets: fc.nat(6) }), { maxLength: 6 })

describe('a snapshot that comes in parts', () => {
  it('leaves the cache as the same one at once does, whatever was there before and wherever it is cut', async () => {
    const folder = await tempDirForTest()
    const [atOnce, inParts] = [open(`${folder}/left.db`), open(`${folder}/right.db`)]
    fc.assert(
      fc.property(
        arbitrarySnapshot,
        arbitrarySnapshot,
        arbitraryCuts,
        fc.nat(12),
        (before, now, cuts, seen) => {
          for (const cache of [atOnce, inParts]) {
            cache.forget('box')
            cache.onSnapshot('local', { headSeq: 1, tasks: [sampleTask({ id: id(99) })], tickets: [] })
            cache.onSnapshot('box', before)
            cache.openTickets()
            cache.markSeen('box', id(seen))
          }
          atOnce.onSnapshot('box', now)
          for (const part of cut(now, cuts)) take(inParts, part)
          expect(face(inParts)).toEqual(face(atOnce))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('shows what was there until it is replaced, and has no resume point before its end', async () => {
    const cache = open(`${await tempDirForTest()}/cache.db`)
    const task = (n: number, title: string) =>
      sampleTask({ id: id(n), title, state: 'running', createdAt: n })
    cache.onSnapshot('box', {
      headSeq: 5,
      tasks: [task(1, 'old'), task(2, 'old'), task(3, 'old')],
      tickets: [],
    })
    const titles = () => cache.tasks(all).rows.map(({ title }) => title)
    const part = { headSeq: 9, tickets: [], first: false, last: false }
    take(cache, { ...part, first: true, tasks: [task(3, 'new')] })
    expect(titles()).toEqual(['new', 'old', 'old'])
    expect(cache.resumePoint('box')).toBeUndefined()
    take(cache, { ...part, last: true, tasks: [task(2, 'new')] })
    expect(titles()).toEqual(['new', 'new'])
    expect(cache.resumePoint('box')).toBe(9)
  })

  it('does not count when its beginning was lost, by a cache that began anew or by another snapshot', async () => {
    const path = `${await tempDirForTest()}/cache.db`
    const cache = open(path)
    const part = { headSeq: 9, tasks: [], tickets: [], first: false, last: false }
    take(cache, { ...part, first: true })
    cache.onSnapshot('box', { headSeq: 4, tasks: [], tickets: [] })
    expect(() => take(cache, { ...part, last: true })).toThrow(/gap/)
    expect(cache.resumePoint('box')).toBe(4)
    take(cache, { ...part, first: true })
    cache.forget('box')
    expect(() => take(cache, part)).toThrow(/gap/)
  })
})
