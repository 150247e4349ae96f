import { closedReasons } from '../closed-reasons.ts'
import type { Fact } from '../fact.ts'
import { isOver } from '../task.ts'
import type { Ticket } from '../ticket.ts'
import { belongsToUser, effectOf, isForUser, isTrailerQuestion, isUser, misfit } from './answering.ts'
import {
  alive,
  become,
  expire,
  openRequests,
  putTicket,
  refuse,
  reopenRound,
  settle,
  waitsFor,
  type Draft,
  type Refused,
} from './draft.ts'

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

/** The executor wants something. Asking again under the same id changes nothing. */
export function asked(draft: Draft, fact: FactOf<'asked'>): Refused | undefined {
  if (draft.tickets.has(fact.ticketId)) return undefined
  if (draft.task.state === 'pending') return refuse('task_busy', waitsFor(draft))
  alive(draft)
  if (draft.task.state === 'waiting_review') reopenRound(draft, 'The executor went on by itself.')
  if (isTrailerQuestion(fact.ticketId))
    for (const old of openRequests(draft).filter((ticket) => isTrailerQuestion(ticket.id)))
      expire(draft, old, closedReasons.asked_else)
  const audience = belongsToUser(fact.ask) ? 'user' : fact.audience
  putTicket(draft, {
    id: fact.ticketId,
    taskId: draft.task.id,
    state: 'open',
    audience,
    ask: fact.ask,
    openedAt: draft.at,
    openedSeq: 0,
  })
  const body = { ticketId: fact.ticketId, audience, ask: fact.ask }
  draft.events.push(
    fact.ask.kind === 'permission' ? { type: 'permission_request', body } : { type: 'question', body },
  )
  become(draft, 'waiting_answer')
  return undefined
}

/** The first fitting answer by someone who may give it; every other attempt is told why not. */
export function answered(draft: Draft, fact: FactOf<'answered'>): Refused | undefined {
  const ticket = draft.tickets.get(fact.ticketId)
  const closed = notOpen(draft, ticket)
  if (closed || !ticket) return closed
  if (isForUser(ticket) && !isUser(fact.by))
    return refuse('user_only', 'Only the person may answer this one.', ticket)
  const why = misfit(ticket.ask, fact.answer)
  if (why !== undefined) return refuse('wrong_answer', why, ticket)
  alive(draft)
  putTicket(draft, {
    ...ticket,
    state: 'answered',
    answer: fact.answer,
    answeredBy: fact.by,
    answeredAt: draft.at,
  })
  const { ticketId, answer, by } = fact
  draft.events.push({ type: 'answered', body: { ticketId, answer, by } })
  draft.effects.push(effectOf(ticket, answer, fact.prompt))
  settle(draft)
  return undefined
}

/** Hands a ticket to the person, with a reason. A second escalation changes nothing. */
export function escalated(draft: Draft, fact: FactOf<'escalated'>): Refused | undefined {
  const ticket = draft.tickets.get(fact.ticketId)
  const closed = notOpen(draft, ticket)
  if (closed || !ticket) return closed
  if (ticket.ask.kind === 'review')
    return refuse('wrong_answer', 'A review is continued or finished; it cannot be escalated.', ticket)
  if (ticket.escalation) return undefined
  const { ticketId, why, by } = fact
  putTicket(draft, { ...ticket, audience: 'user', escalation: { why, by, at: draft.at } })
  draft.events.push({ type: 'escalated', body: { ticketId, why, by } })
  return undefined
}

/** The executor no longer waits for this request, so an answer could not reach it any more. */
export function requestGone(draft: Draft, fact: FactOf<'request_gone'>): Refused | undefined {
  const ticket = draft.tickets.get(fact.ticketId)
  if (!ticket || ticket.ask.kind === 'review') return notFound(fact.ticketId)
  alive(draft)
  if (ticket.state === 'delivered' || ticket.state === 'expired') return undefined
  expire(draft, ticket, fact.reason)
  settle(draft)
  return undefined
}

/** The executor has it. A ticket that expired meanwhile stays expired. */
export function delivered(draft: Draft, fact: FactOf<'delivered'>): Refused | undefined {
  if (fact.ticketId !== undefined) {
    const ticket = draft.tickets.get(fact.ticketId)
    if (!ticket) return notFound(fact.ticketId)
    if (ticket.state === 'open') return refuse('wrong_answer', 'There is no answer to deliver yet.', ticket)
    if (ticket.state === 'delivered' || ticket.state === 'expired') return undefined
    putTicket(draft, { ...ticket, state: 'delivered' })
  }
  if (!isOver(draft.task.state)) alive(draft)
  const { type: _, ...body } = fact
  draft.events.push({ type: 'delivered', body })
  return undefined
}

/** The executor could not be reached; the answer stands and is tried again. */
export function deliveryFailed(draft: Draft, fact: FactOf<'delivery_failed'>): Refused | undefined {
  if (fact.ticketId !== undefined) {
    const ticket = draft.tickets.get(fact.ticketId)
    if (!ticket) return notFound(fact.ticketId)
    if (ticket.state === 'open') return refuse('wrong_answer', 'There is no answer to deliver yet.', ticket)
    if (ticket.state === 'delivered' || ticket.state === 'expired') return undefined
    putTicket(draft, { ...ticket, state: 'failed' })
  }
  const { type: _, ...body } = fact
  draft.events.push({ type: 'delivery_failed', body })
  return undefined
}

function notFound(ticketId: string): Refused {
  return refuse('ticket_not_found', `There is no request ${ticketId}.`)
}

function notOpen(draft: Draft, ticket: Ticket | undefined): Refused | undefined {
  if (!ticket) return refuse('ticket_not_found', 'There is no such ticket.')
  if (ticket.state === 'expired')
    return refuse(
      'ticket_expired',
      `Nothing waits for this any more: ${ticket.closedReason ?? 'it expired.'}`,
      ticket,
    )
  if (ticket.state !== 'open') return refuse('already_answered', 'This was answered before.', ticket)
  if (isOver(draft.task.state)) return refuse('task_over', waitsFor(draft), ticket)
  return undefined
}
