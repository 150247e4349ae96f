import type { Event, EventType } from '../event.ts'
import { isOver, type Task, type TaskState } from '../task.ts'
import { isFurther, type Answer, type Ask, type Audience, type Ticket, type TicketState } from '../ticket.ts'

/** A copy of a task in the making. The tickets are this draft's own map; what lies in it is never written to. */
export interface Copy {
  task: Task
  readonly tickets: Map<string, Ticket>
  readonly touched: Set<string>
  needsTask: boolean
  /** The task has seen this event already, so only tickets may still learn from it. */
  isBehind: boolean
}

type EventOf<T extends EventType> = Extract<Event, { type: T }>

/** What each event does to a copy: the mirror image of what each fact of task-state/ leaves in its events. */
export const laws: { [T in EventType]: (copy: Copy, event: EventOf<T>) => void } = {
  dispatched: () => undefined,
  submitted(copy, { body }) {
    change(copy, { ...body, state: 'submitted' })
  },
  started(copy, { body }) {
    alive(copy)
    change(copy, { session: body.session })
    if (copy.task.state === 'submitted') change(copy, { state: 'running' })
  },
  permission_request: asked,
  question: asked,
  answered(copy, { body: { ticketId, answer, by }, at }) {
    alive(copy)
    step(copy, ticketId, { to: 'answered', with: { answer, answeredBy: by, answeredAt: at } })
    settle(copy)
  },
  escalated(copy, { body: { ticketId, why, by }, at }) {
    const ticket = copy.tickets.get(ticketId)
    if (ticket) put(copy, { ...ticket, audience: 'user', escalation: { why, by, at } })
    else missing(copy)
  },
  expired(copy, { body: { ticketId, reason } }) {
    alive(copy)
    const isReview = copy.tickets.get(ticketId)?.ask.kind === 'review'
    step(copy, ticketId, { to: 'expired', with: { closedReason: reason } })
    // Whether a review left because the task goes on or because it is over, only the next event tells.
    if (!isReview) settle(copy)
  },
  delivered(copy, { body }) {
    alive(copy)
    if (body.ticketId !== undefined) step(copy, body.ticketId, { to: 'delivered', with: {} })
  },
  delivery_failed(copy, { body }) {
    if (body.ticketId !== undefined) step(copy, body.ticketId, { to: 'failed', with: {} })
  },
  completed(copy, event) {
    const { ticketId, round, commit, summary, changes } = event.body
    openReview(copy, event, { ticketId, round, text: summary })
    const { lastRun: _run, changes: _before, ...task } = copy.task
    copy.task = {
      ...task,
      head: commit,
      summary: summary.slice(0, 20_000),
      ...(changes === undefined ? {} : { changes }),
    }
  },
  turn_failed(copy, event) {
    const { ticketId, round, message } = event.body
    openReview(copy, event, { ticketId, round, text: message })
    const { lastRun: _, ...task } = copy.task
    copy.task = task
  },
  continued(copy, { body: { round, text, by }, at }) {
    alive(copy)
    answerReview(copy, round - 1, { answer: { kind: 'continue', text }, answeredBy: by, answeredAt: at })
    const { lastRun: _, ...task } = copy.task
    copy.task = { ...task, state: 'running', round }
  },
  progress: alive,
  stalled(copy, { at }) {
    change(copy, { stalledSince: at })
  },
  executor_offline(copy, { at }) {
    change(copy, { offlineSince: at })
  },
  executor_online(copy) {
    alive(copy)
    const { offlineSince: _, ...task } = copy.task
    copy.task = task
  },
  failed(copy, { body, at }) {
    end(copy, { state: 'failed', reason: body.message, at })
  },
  crashed(copy, { body, at }) {
    end(copy, { state: 'failed', reason: body.message, at })
  },
  cancelled(copy, { body, at }) {
    end(copy, { state: 'cancelled', reason: body.note, at })
  },
  done(copy, { body, at }) {
    answerReview(copy, copy.task.round, { answer: { kind: 'done' }, answeredBy: body.by, answeredAt: at })
    end(copy, { state: 'completed', reason: body.note, at })
  },
  ran(copy, { body, at }) {
    if (isOver(copy.task.state)) return
    const ok = body.exitCode === 0 && !body.timedOut
    change(copy, { lastRun: { command: body.command, ok, at } })
  },
  repaired: () => undefined,
  note: () => undefined,
}

function asked(copy: Copy, event: EventOf<'permission_request'> | EventOf<'question'>): void {
  alive(copy)
  const { ticketId, audience, ask } = event.body
  // The review of this round has just expired: the executor went on by itself, so this is the next round.
  if (copy.task.state === 'waiting_review') change(copy, { round: copy.task.round + 1 })
  open(copy, event, { ticketId, audience, ask })
  change(copy, { state: 'waiting_answer' })
}

function openReview(
  copy: Copy,
  event: Event,
  { ticketId, round, text }: { ticketId: string; round: number; text: string },
): void {
  alive(copy)
  open(copy, event, { ticketId, audience: 'reviewer', ask: { kind: 'review', round, text } })
  change(copy, { state: 'waiting_review', round })
}

function open(
  copy: Copy,
  { at, seq }: Event,
  { ticketId, audience, ask }: { ticketId: string; audience: Audience; ask: Ask },
): void {
  // A ticket is opened once; one that is here already has been heard of in another way, and may know more.
  if (copy.tickets.has(ticketId)) return
  const taskId = copy.task.id
  put(copy, { id: ticketId, taskId, state: 'open', audience, ask, openedAt: at, openedSeq: seq })
}

type Answered = { answer: Answer; answeredBy: NonNullable<Ticket['answeredBy']>; answeredAt: number }

function answerReview(copy: Copy, round: number, answered: Answered): void {
  step(copy, `${copy.task.id}:review-${round}`, { to: 'answered', with: answered })
}

/** Moves a ticket forward. One that is further already (heard of in another way) stays; a closed one that is not here is of no use. */
function step(
  copy: Copy,
  ticketId: string,
  { to, with: more }: { to: TicketState; with: Partial<Ticket> },
): void {
  const ticket = copy.tickets.get(ticketId)
  if (!ticket) {
    if (to === 'answered') missing(copy)
    return
  }
  if (isFurther(to, ticket.state)) put(copy, { ...ticket, ...more, state: to })
}

/** An open ticket should be here and is not. What a task has seen already need not be. */
function missing(copy: Copy): void {
  if (!copy.isBehind) copy.needsTask = true
}

function put(copy: Copy, ticket: Ticket): void {
  copy.tickets.set(ticket.id, ticket)
  copy.touched.add(ticket.id)
}

function change(copy: Copy, fields: Partial<Task>): void {
  copy.task = { ...copy.task, ...fields }
}

function alive(copy: Copy): void {
  if (copy.task.stalledSince === undefined) return
  const { stalledSince: _, ...task } = copy.task
  copy.task = task
}

function settle(copy: Copy): void {
  if (copy.task.state !== 'running' && copy.task.state !== 'waiting_answer') return
  change(copy, { state: isAsking(copy) ? 'waiting_answer' : 'running' })
}

function isAsking({ tickets }: Copy): boolean {
  for (const ticket of tickets.values())
    if (ticket.state === 'open' && ticket.ask.kind !== 'review') return true
  return false
}

function end(
  copy: Copy,
  { state, reason, at }: { state: TaskState; reason: string | undefined; at: number },
): void {
  if (isOver(copy.task.state)) return
  const { stalledSince: _stalled, offlineSince: _offline, ...task } = copy.task
  copy.task = {
    ...task,
    state,
    endedAt: at,
    ...(reason === undefined ? {} : { endReason: reason.slice(0, 2_000) }),
  }
}
