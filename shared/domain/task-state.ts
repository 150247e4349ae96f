import type { Fact, Reduced } from './fact.ts'
import {
  draftOf,
  finished,
  refuse,
  waitsFor,
  type Draft,
  type Refused,
  type TaskWithTickets,
} from './task-state/draft.ts'
import { cancelled, crashed, failed } from './task-state/end-facts.ts'
import {
  note,
  offline,
  online,
  progress,
  ran,
  repaired,
  stalled,
  started,
  submitted,
} from './task-state/life-facts.ts'
import {
  answered,
  asked,
  delivered,
  deliveryFailed,
  escalated,
  requestGone,
} from './task-state/ticket-facts.ts'
import { continued, done, turnCompleted, turnFailed } from './task-state/turn-facts.ts'
import { isOver } from './task.ts'

type Laws = {
  [T in Fact['type']]: (draft: Draft, fact: Extract<Fact, { type: T }>) => Refused | undefined
}

const laws: Laws = {
  dispatched: (draft) => refuse('task_busy', `${waitsFor(draft)} It was dispatched before.`),
  submitted,
  started,
  asked,
  answered,
  escalated,
  request_gone: requestGone,
  delivered,
  delivery_failed: deliveryFailed,
  turn_completed: turnCompleted,
  turn_failed: turnFailed,
  continued,
  progress,
  stalled,
  offline,
  online,
  failed,
  crashed,
  done,
  cancelled,
  ran,
  repaired,
  note,
}

// A ticket's own fate says more than "task over"; a delivery that was on its way and remarks are only written down.
const heardWhenOver: ReadonlySet<Fact['type']> = new Set<Fact['type']>([
  'answered',
  'escalated',
  'delivered',
  'repaired',
  'note',
])

/**
 * The only code that changes a task's state. Pure: neither `current` nor `fact` is written to. `current` holds the task
 * with its open tickets and the ticket that the fact names, if there is one. In the result, `tickets` are the changed
 * ones (a new one has `openedSeq` 0 until its event is numbered), `events` are in order, and a fact that says nothing
 * new gives back the very same task without events. Throws only when called for a task that was never dispatched.
 */
export function reduce(current: TaskWithTickets | undefined, fact: Fact, at: number): Reduced {
  if (!current) return dispatch(fact)
  if (isOver(current.task.state) && !heardWhenOver.has(fact.type))
    return refuse('task_over', waitsFor(draftOf(current, at)))
  const draft = draftOf(current, at)
  const law = laws[fact.type] as (draft: Draft, fact: Fact) => Refused | undefined
  return law(draft, fact) ?? finished(draft, current.task)
}

function dispatch(fact: Fact): Reduced {
  if (fact.type !== 'dispatched') throw new Error(`A task that was never dispatched cannot be ${fact.type}.`)
  const { title, executor, dispatchedBy: by } = fact.task
  return {
    kind: 'changed',
    task: { ...fact.task, state: 'pending', round: 1, openTickets: 0 },
    tickets: [],
    events: [{ type: 'dispatched', body: { title, executor, by } }],
    effects: [],
  }
}
