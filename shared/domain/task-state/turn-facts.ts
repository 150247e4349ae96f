import { closedReasons } from '../closed-reasons.ts'
import type { Fact } from '../fact.ts'
import {
  alive,
  become,
  expire,
  openRequests,
  openReview,
  putTicket,
  refuse,
  reopenRound,
  waitsFor,
  type Draft,
  type Refused,
} from './draft.ts'
import { end } from './end-facts.ts'

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

/** The executor's turn is over and its result goes to review. */
export function turnCompleted(draft: Draft, fact: FactOf<'turn_completed'>): Refused | undefined {
  const refused = endTurn(draft)
  if (refused) return refused
  const { type: _, ...body } = fact
  const ticketId = openReviewTicket(draft, fact.summary)
  const { lastRun: _run, changes: _before, ...task } = draft.task
  const { commit: head, summary, changes } = fact
  draft.task = {
    ...task,
    head,
    summary: summary.slice(0, 20_000),
    ...(changes === undefined ? {} : { changes }),
  }
  draft.events.push({ type: 'completed', body: { ticketId, round: draft.task.round, ...body } })
  return undefined
}

/** The turn ended in an error while the conversation lives on: it goes to review and can be continued. */
export function turnFailed(draft: Draft, fact: FactOf<'turn_failed'>): Refused | undefined {
  const refused = endTurn(draft)
  if (refused) return refused
  const ticketId = openReviewTicket(draft, fact.message)
  const { lastRun: _, ...task } = draft.task
  draft.task = task
  draft.events.push({
    type: 'turn_failed',
    body: { ticketId, round: draft.task.round, message: fact.message },
  })
  return undefined
}

/** The reviewer sends the task back with a text: the next round begins. */
export function continued(draft: Draft, fact: FactOf<'continued'>): Refused | undefined {
  const review = openReview(draft)
  if (draft.task.state !== 'waiting_review' || !review) return refuse('task_busy', waitsFor(draft))
  alive(draft)
  putTicket(draft, {
    ...review,
    state: 'answered',
    answer: { kind: 'continue', text: fact.text },
    answeredBy: fact.by,
    answeredAt: draft.at,
  })
  become(draft, 'running')
  // What was run before says nothing about what is being written now.
  const { lastRun: _, ...task } = draft.task
  draft.task = { ...task, round: task.round + 1 }
  const { text, by } = fact
  draft.events.push({ type: 'continued', body: { round: draft.task.round, text, by } })
  draft.effects.push({ kind: 'prompt', text: fact.prompt ?? text, ticketId: review.id })
  return undefined
}

/** The reviewer accepts the result. */
export function done(draft: Draft, fact: FactOf<'done'>): Refused | undefined {
  const review = openReview(draft)
  if (draft.task.state !== 'waiting_review' || !review)
    return refuse('not_waiting_review', `${waitsFor(draft)} Only a task in review can be finished.`)
  putTicket(draft, {
    ...review,
    state: 'answered',
    answer: { kind: 'done' },
    answeredBy: fact.by,
    answeredAt: draft.at,
  })
  const { type: _, ...body } = fact
  end(draft, { state: 'completed', reason: fact.note, event: { type: 'done', body } })
  return undefined
}

function endTurn(draft: Draft): Refused | undefined {
  if (draft.task.state === 'pending') return refuse('task_busy', waitsFor(draft))
  alive(draft)
  if (draft.task.state === 'waiting_review') reopenRound(draft, closedReasons.turn_later)
  for (const ticket of openRequests(draft)) expire(draft, ticket, closedReasons.turn_ended)
  return undefined
}

function openReviewTicket(draft: Draft, text: string): string {
  const { id: taskId, round } = draft.task
  const id = `${taskId}:review-${round}`
  become(draft, 'waiting_review')
  putTicket(draft, {
    id,
    taskId,
    state: 'open',
    audience: 'reviewer',
    ask: { kind: 'review', round, text: text.slice(0, 100_000) },
    openedAt: draft.at,
    openedSeq: 0,
  })
  return id
}
