import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryFact } from '../../tests/support/arbitrary-facts.ts'
import { sampleTask, started, submitted } from '../../tests/support/sample-facts.ts'
import { createHistory } from '../../tests/support/task-history.ts'
import type { Event } from './event.ts'
import type { Fact } from './fact.ts'
import { projectEvents, ticketsNamed, type TaskCopy } from './projection.ts'
import type { Task } from './task.ts'
import type { Ticket } from './ticket.ts'

type History = ReturnType<typeof createHistory>

const facts = fc.oneof(
  fc.array(arbitraryFact, { maxLength: 60, size: 'max' }),
  fc
    .array(arbitraryFact, { maxLength: 60, size: 'max' })
    .map((rest): Fact[] => [submitted, started, ...rest]),
)

/** The copy of a client that has seen the first event and nothing else. */
const firstCopy = (): TaskCopy => ({ task: sampleTask({ lastSeq: 1 }), tickets: [] })

/** What the store of the host would hold: the reducer leaves the numbering to it. */
function truth(history: History): { task: Task; tickets: Map<string, Ticket> } {
  const opened = new Map<string, number>()
  for (const event of history.events)
    if (['permission_request', 'question', 'completed', 'turn_failed'].includes(event.type))
      opened.set((event.body as { ticketId: string }).ticketId, event.seq)
  return {
    task: { ...history.task(), lastSeq: history.events.at(-1)?.seq ?? 0 },
    tickets: new Map(
      history.tickets().map((one) => [one.id, { ...one, openedSeq: opened.get(one.id) ?? 0 }]),
    ),
  }
}

/** Follows the events the way a cache does: with the open tickets and those that the events name. */
function followed(copy: TaskCopy, events: readonly Event[]): TaskCopy & { needsTask: boolean } {
  const named = ticketsNamed(events)
  const part = copy.tickets.filter((one) => one.state === 'open' || named.has(one.id))
  const { task, tickets, needsTask } = projectEvents({ task: copy.task, tickets: part }, events)
  const all = new Map(copy.tickets.map((one) => [one.id, one]))
  for (const ticket of tickets) all.set(ticket.id, ticket)
  return { task, tickets: [...all.values()], needsTask }
}

const byId = ({ tickets }: TaskCopy) => new Map(tickets.map((one) => [one.id, one]))

/** Without what a sign of life that left no event has changed: no client can know of it. */
function comparable(task: Task, isQuiet: boolean): Partial<Task> {
  if (!isQuiet) return task
  const { stalledSince: _stalled, updatedAt: _updated, ...rest } = task
  return rest
}

describe('a copy that follows the events of any history', () => {
  it('says after every fact what the reducer says', () => {
    let compared = 0
    fc.assert(
      fc.property(facts, (list) => {
        const history = createHistory()
        let copy = firstCopy()
        let isQuiet = false
        for (const fact of list) {
          const [before, seen] = [history.task(), history.events.length]
          history.apply(fact)
          const fresh = history.events.slice(seen)
          if (fresh.length === 0 && history.task() !== before) isQuiet = true
          const next = followed(copy, fresh)
          expect(next.needsTask).toBe(false)
          copy = next
          const { task, tickets } = truth(history)
          if (copy.task.stalledSince === task.stalledSince && fresh.length > 0) isQuiet = false
          expect(comparable(copy.task, isQuiet)).toEqual(comparable(task, isQuiet))
          expect(byId(copy)).toEqual(tickets)
          if (!isQuiet) compared++
        }
      }),
      { numRuns: 500 },
    )
    expect(compared).toBeGreaterThan(5_000)
  })

  it('says the same however the events are cut into batches', () => {
    fc.assert(
      fc.property(facts, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (list, sizes) => {
        const history = createHistory()
        for (const fact of list) history.apply(fact)
        const { events } = history
        const atOnce = followed(firstCopy(), events)
        let pieces: TaskCopy = firstCopy()
        for (let from = 0, turn = 0; from < events.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          pieces = followed(pieces, events.slice(from, from + size))
          from += size
        }
        expect(pieces.task).toEqual(atOnce.task)
        expect(byId(pieces)).toEqual(byId(atOnce))
      }),
      { numRuns: 300 },
    )
  })

  it('catches its tickets up when the task itself was fetched from further on', () => {
    fc.assert(
      fc.property(facts, fc.nat(), fc.nat(), (list, first, second) => {
        const history = createHistory()
        const states: { task: Task; events: number }[] = []
        for (const fact of list) {
          history.apply(fact)
          states.push({ task: truth(history).task, events: history.events.length })
        }
        const later = states[first % Math.max(1, states.length)]
        if (!later) return
        const seen = second % later.events
        const behind = followed(firstCopy(), history.events.slice(0, seen))
        // Somebody asked the host for the task alone; the events up to there still come, and all that follow.
        const jumped = followed({ ...behind, task: later.task }, history.events.slice(seen))
        const { task, tickets } = truth(history)
        expect(byId(jumped)).toEqual(tickets)
        expect([jumped.task.state, jumped.task.round, jumped.task.openTickets]).toEqual([
          task.state,
          task.round,
          task.openTickets,
        ])
      }),
      { numRuns: 300 },
    )
  })
})
