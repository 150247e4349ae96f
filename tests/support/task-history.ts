import type { Event } from '../../shared/domain/event.ts'
import type { Effect, Fact, Reduced } from '../../shared/domain/fact.ts'
import { reduce } from '../../shared/domain/task-state.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { sampleTask } from './sample-facts.ts'

/** A task in memory that facts happen to, loaded for each fact the way the engine does it. */
export function createHistory() {
  let task: Task | undefined
  let seq = 0
  let at = 1_000
  const tickets = new Map<string, Ticket>()
  const events: Event[] = []
  const effects: Effect[] = []

  function load(fact: Fact) {
    if (!task) return undefined
    const named = 'ticketId' in fact ? fact.ticketId : undefined
    const seen = [...tickets.values()].filter((ticket) => ticket.state === 'open' || ticket.id === named)
    return structuredClone({ task, tickets: seen })
  }

  function apply(fact: Fact): Reduced {
    at++
    const reduced = reduce(load(fact), fact, at)
    if (reduced.kind === 'refused') return reduced
    task = reduced.task
    for (const ticket of reduced.tickets) tickets.set(ticket.id, ticket)
    for (const event of reduced.events) events.push({ seq: ++seq, taskId: task.id, at, ...event } as Event)
    effects.push(...reduced.effects)
    return reduced
  }

  apply({ type: 'dispatched', task: sampleTask() })
  return {
    apply,
    /** Applies facts that must all be accepted. */
    all(...facts: Fact[]): Reduced {
      let last: Reduced | undefined
      for (const fact of facts) {
        last = apply(fact)
        if (last.kind === 'refused') throw new Error(`${fact.type} was refused: ${last.message}`)
      }
      return last as Reduced
    },
    task: () => task as Task,
    ticket: (id: string) => tickets.get(id),
    tickets: () => [...tickets.values()],
    events,
    effects,
  }
}
