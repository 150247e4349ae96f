import type { WireEvent } from '../protocol/records.ts'
import { eventSchema, eventTypes, type Event } from './event.ts'
import { laws, type Copy } from './projection/laws.ts'
import type { Task } from './task.ts'
import type { Ticket } from './ticket.ts'

/** What a client keeps of a task. `tickets` are at least the open ones and those that the events name, where it has them. */
export interface TaskCopy {
  task: Task
  tickets: readonly Ticket[]
}

/** A copy that has followed some events. */
export interface Projected {
  task: Task
  /** The tickets that changed or are new. */
  tickets: Ticket[]
  /** The events did not say enough: the host has to be asked for the task as it stands. */
  needsTask: boolean
}

const known: ReadonlySet<string> = new Set(eventTypes)

/**
 * Follows one task by its events alone, in order: afterwards the copy says what the host's reducer (task-state.ts) said
 * after the last of them. Events that the task has already seen (`lastSeq`) change only tickets that lag behind it; an unknown type is
 * skipped; what cannot be read, or names an open ticket that is not in the copy, sets `needsTask`. Pure. The one thing no event tells
 * is a sign of life that says nothing else, so `stalledSince` may stand until the next event.
 */
export function projectEvents(copy: TaskCopy, events: readonly WireEvent[]): Projected {
  const draft: Copy = {
    task: copy.task,
    tickets: new Map(copy.tickets.map((ticket) => [ticket.id, ticket])),
    touched: new Set(),
    needsTask: false,
    isBehind: false,
  }
  for (const event of events) follow(draft, event)
  if (draft.task !== copy.task) draft.task = { ...draft.task, openTickets: openCount(draft) }
  const tickets = [...draft.touched].map((id) => draft.tickets.get(id)).filter((ticket) => !!ticket)
  return { task: draft.task, tickets, needsTask: draft.needsTask }
}

/** The tickets that events name: what a copy should bring besides the open ones. */
export function ticketsNamed(events: readonly WireEvent[]): Set<string> {
  const named = new Set<string>()
  for (const { body } of events) if (typeof body['ticketId'] === 'string') named.add(body['ticketId'])
  return named
}

function follow(draft: Copy, wire: WireEvent): void {
  draft.isBehind = wire.seq <= draft.task.lastSeq
  const before = draft.task
  if (known.has(wire.type)) {
    const parsed = eventSchema.safeParse(wire)
    if (parsed.success && parsed.data.taskId === before.id) apply(draft, parsed.data as Event)
    else draft.needsTask = true
  }
  if (draft.isBehind) {
    draft.task = before
    return
  }
  // The first event comes with the task as it was made.
  const updatedAt = wire.type === 'dispatched' ? draft.task.updatedAt : wire.at
  draft.task = { ...draft.task, updatedAt, lastSeq: wire.seq }
}

function openCount({ tickets }: Copy): number {
  let count = 0
  for (const ticket of tickets.values()) if (ticket.state === 'open') count += 1
  return count
}

function apply(draft: Copy, event: Event): void {
  const law = laws[event.type] as (draft: Copy, event: Event) => void
  law(draft, event)
}
