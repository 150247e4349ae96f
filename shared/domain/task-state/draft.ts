import type { NewEvent } from '../event.ts'
import type { Effect, Reduced, Refusal } from '../fact.ts'
import { shortId, type Task, type TaskState } from '../task.ts'
import type { Ticket } from '../ticket.ts'
import { wayTo } from './transitions.ts'

/** A task with the tickets that matter for the next fact: the open ones, and the one the fact is about. */
export interface TaskWithTickets {
  task: Task
  tickets: Ticket[]
}

/** A next state in the making. The current state is never written to. */
export interface Draft {
  readonly at: number
  task: Task
  readonly tickets: Map<string, Ticket>
  readonly touched: Set<string>
  readonly events: NewEvent[]
  readonly effects: Effect[]
}

/** The answer to a fact that cannot be. */
export type Refused = Extract<Reduced, { kind: 'refused' }>

/** A draft that as yet says what `current` says. */
export function draftOf(current: TaskWithTickets, at: number): Draft {
  return {
    at,
    task: current.task,
    tickets: new Map(current.tickets.map((ticket) => [ticket.id, ticket])),
    touched: new Set(),
    events: [],
    effects: [],
  }
}

/** The finished draft. A draft in which nothing happened gives back the very same task. */
export function finished(draft: Draft, before: Task): Reduced {
  const changed = draft.task !== before || draft.events.length > 0 || draft.touched.size > 0
  const task = changed
    ? { ...draft.task, openTickets: openTickets(draft).length, updatedAt: draft.at }
    : before
  const tickets = [...draft.touched].map((id) => draft.tickets.get(id)).filter((ticket) => !!ticket)
  return { kind: 'changed', task, tickets, events: draft.events, effects: draft.effects }
}

/** Refuses a fact; `ticket` is the one it was about, as it stands. */
export function refuse(code: Refusal, message: string, ticket?: Ticket): Refused {
  return { kind: 'refused', code, message, ...(ticket ? { ticket } : {}) }
}

/** Everything of the task that waits for an answer. */
export function openTickets(draft: Draft): Ticket[] {
  return [...draft.tickets.values()].filter((ticket) => ticket.state === 'open')
}

/** Open permissions and questions: what keeps a task in `waiting_answer`. */
export function openRequests(draft: Draft): Ticket[] {
  return openTickets(draft).filter((ticket) => ticket.ask.kind !== 'review')
}

/** The review that waits; there is never more than one. */
export function openReview(draft: Draft): Ticket | undefined {
  return openTickets(draft).find((ticket) => ticket.ask.kind === 'review')
}

/** Adds a ticket or replaces it. */
export function putTicket(draft: Draft, ticket: Ticket): void {
  draft.tickets.set(ticket.id, ticket)
  draft.touched.add(ticket.id)
}

/** Closes a ticket that nobody waits for any more, visibly. */
export function expire(draft: Draft, ticket: Ticket, reason: string): void {
  const closedReason = reason.slice(0, 2_000)
  putTicket(draft, { ...ticket, state: 'expired', closedReason })
  draft.events.push({ type: 'expired', body: { ticketId: ticket.id, reason: closedReason } })
}

/** Moves the task, step by step. A way that is closed is a bug in the reducer, so it throws. */
export function become(draft: Draft, to: TaskState): void {
  const way = wayTo(draft.task.state, to)
  if (!way) throw new Error(`A task cannot go from ${draft.task.state} to ${to}.`)
  for (const state of way) draft.task = { ...draft.task, state }
}

/** A sign of life: the task is not stalled. */
export function alive(draft: Draft): void {
  if (draft.task.stalledSince === undefined) return
  const { stalledSince: _, ...task } = draft.task
  draft.task = task
}

/** The state that follows from which tickets are open, while a turn is going on. */
export function settle(draft: Draft): void {
  if (draft.task.state === 'running' || draft.task.state === 'waiting_answer')
    become(draft, openRequests(draft).length > 0 ? 'waiting_answer' : 'running')
}

/** Leaves the review because the executor went on by itself; the next turn end is a round of its own. */
export function reopenRound(draft: Draft, reason: string): void {
  const review = openReview(draft)
  if (review) expire(draft, review, reason)
  become(draft, 'running')
  draft.task = { ...draft.task, round: draft.task.round + 1 }
}

/** What the task waits for, in words for a refusal. */
export function waitsFor(draft: Draft): string {
  const id = shortId(draft.task.id)
  const requests = openRequests(draft)
  if (requests.length > 0) {
    const names = requests
      .slice(0, 5)
      .map((ticket) => `${ticket.ask.kind} ${ticket.id.replace(/^[^:]*/, id)}`)
    const more = requests.length > names.length ? ` and ${requests.length - names.length} more` : ''
    return `Task ${id} waits for an answer to ${names.join(', ')}${more}.`
  }
  if (draft.task.state === 'waiting_review') return `Task ${id} waits for a review.`
  if (draft.task.state === 'running') return `Task ${id} is at work; its turn is not over yet.`
  if (draft.task.state === 'pending' || draft.task.state === 'submitted')
    return `Task ${id} is being started.`
  return `Task ${id} is over (${draft.task.state}).`
}
