import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryFact } from '../../tests/support/arbitrary-facts.ts'
import { rebuild } from '../../tests/support/naive-task.ts'
import { started, submitted } from '../../tests/support/sample-facts.ts'
import { createHistory } from '../../tests/support/task-history.ts'
import { eventSchema } from './event.ts'
import type { Fact } from './fact.ts'
import { wayTo } from './task-state/transitions.ts'
import { isOver, taskSchema, taskStateSchema } from './task.ts'
import { ticketSchema, type TicketState } from './ticket.ts'

type History = ReturnType<typeof createHistory>

const ticketSteps: Record<TicketState, TicketState[]> = {
  open: ['answered', 'expired'],
  answered: ['delivered', 'failed', 'expired'],
  failed: ['delivered', 'failed', 'expired'],
  delivered: [],
  expired: [],
}
// Half of the histories start at work, so that the interesting states are met often.
const facts = fc.oneof(
  fc.array(arbitraryFact, { maxLength: 60, size: 'max' }),
  fc
    .array(arbitraryFact, { maxLength: 60, size: 'max' })
    .map((rest): Fact[] => [submitted, started, ...rest]),
)

function eachStep(list: Fact[], check: (history: History, before: Before, fact: Fact) => void): History {
  const history = createHistory()
  for (const fact of list) {
    const before = { task: history.task(), tickets: new Map(history.tickets().map((one) => [one.id, one])) }
    history.apply(fact)
    check(history, before, fact)
  }
  return history
}
type Before = {
  task: ReturnType<History['task']>
  tickets: Map<string, ReturnType<History['tickets']>[number]>
}

describe('any sequence of facts', () => {
  it('moves a task only along legal steps and never out of its end', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(facts, (list) => {
        eachStep(list, (history, { task }) => {
          const now = history.task()
          seen.add(now.state)
          if (isOver(task.state)) expect(now.state).toBe(task.state)
          expect(wayTo(task.state, now.state)).toBeDefined()
          expect(now.round).toBeGreaterThanOrEqual(task.round)
        })
      }),
      { numRuns: 500 },
    )
    // Otherwise the property would hold because nothing happened.
    expect([...seen].sort()).toEqual([...taskStateSchema.options].sort())
  })

  it('keeps state and open tickets in agreement', () => {
    fc.assert(
      fc.property(facts, (list) => {
        eachStep(list, (history) => {
          const { state, openTickets, round } = history.task()
          const open = history.tickets().filter((ticket) => ticket.state === 'open')
          const reviews = open.filter((ticket) => ticket.ask.kind === 'review')
          expect(openTickets).toBe(open.length)
          expect(state === 'waiting_answer').toBe(open.length > reviews.length)
          expect(state === 'waiting_review').toBe(reviews.length === 1)
          expect(reviews.length === 0 || open.length === 1).toBe(true)
          for (const { ask } of reviews) expect(ask).toMatchObject({ round })
        })
      }),
      { numRuns: 500 },
    )
  })

  it('loses no ticket and answers none twice', () => {
    fc.assert(
      fc.property(facts, (list) => {
        const history = eachStep(list, (now, before) => {
          for (const [id, old] of before.tickets) {
            const ticket = now.ticket(id)
            if (!ticket) throw new Error(`${id} is lost`)
            if (ticket.state !== old.state) expect(ticketSteps[old.state]).toContain(ticket.state)
            if (old.answer) expect([ticket.answer, ticket.answeredBy]).toEqual([old.answer, old.answeredBy])
          }
        })
        const sent = history.effects.flatMap((effect) => (effect.kind === 'drop' ? [] : [effect.ticketId]))
        const answered = history.tickets().filter((ticket) => ticket.answer && ticket.answer.kind !== 'done')
        // Every answer goes to the executor, and goes once.
        expect([...sent].sort()).toEqual(answered.map((ticket) => ticket.id).sort())
      }),
      { numRuns: 500 },
    )
  })

  it('changes nothing when it refuses, and nothing but what it says', () => {
    fc.assert(
      fc.property(facts, (list) => {
        eachStep(list, (history, before, fact) => {
          const { task } = history
          if (task() === before.task)
            expect([...before.tickets.values()], fact.type).toEqual(history.tickets())
        })
      }),
    )
  })

  it('lets a dangerous or product request be answered by the person alone', () => {
    fc.assert(
      fc.property(facts, (list) => {
        for (const { ask, answer, answeredBy } of eachStep(list, () => undefined).tickets()) {
          const personal =
            (ask.kind === 'permission' && ask.risk.level === 'dangerous') ||
            (ask.kind === 'question' && ask.topic === 'product')
          if (personal && answer) expect(answeredBy).toMatchObject({ kind: 'client', role: 'user' })
        }
      }),
      { numRuns: 500 },
    )
  })

  it('tells everything in its events: a naive reader rebuilds the same task', () => {
    fc.assert(
      fc.property(facts, (list) => {
        const history = eachStep(list, () => undefined)
        const naive = rebuild(history.events)
        const task = history.task()
        expect(naive).toMatchObject({
          state: task.state,
          round: task.round,
          head: task.head,
          session: task.session,
        })
        if (!isOver(task.state)) expect(naive.offline).toBe(task.offlineSince !== undefined)
        expect(
          new Map([...naive.tickets].map(([id, { state, audience }]) => [id, { state, audience }])),
        ).toEqual(new Map(history.tickets().map(({ id, state, audience }) => [id, { state, audience }])))
        for (const { answers } of naive.tickets.values()) expect(answers).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 },
    )
  })

  it('yields tasks, tickets and events that pass the schemas', () => {
    fc.assert(
      fc.property(facts, (list) => {
        const history = eachStep(list, () => undefined)
        taskSchema.parse(history.task())
        for (const ticket of history.tickets()) ticketSchema.parse(ticket)
        for (const event of history.events) expect(eventSchema.parse(event)).toEqual(event)
      }),
    )
  })
})
