import { wakes, type Event } from '../../shared/domain/event.ts'
import type { TaskState } from '../../shared/domain/task.ts'
import type { TicketState } from '../../shared/domain/ticket.ts'

/** What anyone can work out from the events alone, without knowing the reducer. */
export interface NaiveTask {
  state: TaskState
  round: number
  head: string | undefined
  session: string | undefined
  stalled: boolean
  offline: boolean
  /** The review of this round has just expired. */
  reviewLeft: boolean
  tickets: Map<string, { state: TicketState; audience: string; review: boolean; answers: number }>
}

/** Rebuilds a task from its events in order, as simply as possible. */
export function rebuild(events: readonly Event[]): NaiveTask {
  const task: NaiveTask = {
    state: 'pending',
    round: 1,
    head: undefined,
    session: undefined,
    stalled: false,
    offline: false,
    reviewLeft: false,
    tickets: new Map(),
  }
  for (const event of events) follow(task, event)
  return task
}

function follow(task: NaiveTask, event: Event): void {
  const ticket = 'ticketId' in event.body ? task.tickets.get(event.body.ticketId ?? '') : undefined
  const openReview = [...task.tickets.values()].find((one) => one.review && one.state === 'open')
  const open = (ticketId: string, review: boolean, audience: string) =>
    task.tickets.set(ticketId, { state: 'open', audience, review, answers: 0 })
  if (event.type === 'submitted') task.state = 'submitted'
  if (event.type === 'started') task.session = event.body.session
  if (event.type === 'permission_request' || event.type === 'question') {
    open(event.body.ticketId, false, event.body.audience)
    if (task.reviewLeft) task.round++
  }
  if (wakes(event.type)) task.reviewLeft = false
  // Either the task ends now, or its executor went on by itself and the next round has begun.
  if (event.type === 'expired' && ticket?.review) task.reviewLeft = true
  if (event.type === 'completed' || event.type === 'turn_failed') open(event.body.ticketId, true, 'reviewer')
  if (event.type === 'completed') task.head = event.body.commit
  if (event.type === 'completed' || event.type === 'turn_failed' || event.type === 'continued')
    task.round = event.body.round
  if (ticket && event.type === 'answered') ticket.answers++
  if (ticket) ticket.state = stateAfter(event.type) ?? ticket.state
  if (ticket && event.type === 'escalated') ticket.audience = 'user'
  if (openReview && (event.type === 'continued' || event.type === 'done')) {
    openReview.state = 'answered'
    openReview.answers++
  }
  if (event.type === 'stalled') task.stalled = true
  if (event.type === 'executor_offline') task.offline = true
  if (event.type === 'executor_online') task.offline = false
  task.state = taskStateAfter(task, event)
}

function stateAfter(type: Event['type']): TicketState | undefined {
  if (type === 'answered') return 'answered'
  if (type === 'expired') return 'expired'
  if (type === 'delivered') return 'delivered'
  return type === 'delivery_failed' ? 'failed' : undefined
}

function taskStateAfter(task: NaiveTask, event: Event): TaskState {
  const ends: Partial<Record<Event['type'], TaskState>> = {
    done: 'completed',
    failed: 'failed',
    crashed: 'failed',
    cancelled: 'cancelled',
  }
  const end = ends[event.type]
  if (end) return end
  if (['pending', 'completed', 'failed', 'cancelled'].includes(task.state)) return task.state
  const open = [...task.tickets.values()].filter((one) => one.state === 'open')
  if (open.some((one) => one.review)) return 'waiting_review'
  if (open.length > 0) return 'waiting_answer'
  return task.state === 'submitted' && event.type !== 'started' ? 'submitted' : 'running'
}
