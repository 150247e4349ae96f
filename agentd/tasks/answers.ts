import type { Actor, Role } from '../../shared/domain/actor.ts'
import type { Fact } from '../../shared/domain/fact.ts'
import { isTrailerQuestion, misfit } from '../../shared/domain/task-state/answering.ts'
import type { Answer, Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import type { Store } from '../store/store.ts'
import { recordDecision } from './audit.ts'
import type { Applied, Committed, FactLog } from './fact-log.ts'
import type { Judge } from './judge.ts'
import { answerPrompt, answerDetail } from './prompts.ts'
import { saveRule } from './rules.ts'

type ClientActor = Extract<Actor, { kind: 'client' }>

/** Answers tickets: first answer wins, dangerous ones only by the person, every decision in the audit log. */
export function createAnswers({
  store,
  facts,
  judge,
  now,
}: {
  store: Store
  facts: FactLog
  judge: Judge
  now: () => number
}) {
  function answer(ticket: Ticket, answer: Answer, by: ClientActor): CallOutput<'ticket.answer'> {
    if (answer.kind === 'continue' || answer.kind === 'done')
      throw new AppError({
        code: 'wrong_answer',
        message: `A ticket cannot be answered with "${answer.kind}".`,
      })
    return facts.transaction(() => {
      const task = mustHave(store.tasks.get(ticket.taskId))
      const applied = facts.apply(ticket.taskId, answeredFact(ticket, answer, by))
      if (applied.kind === 'refused') return refusedOutcome(applied, mustHave(store.tickets.get(ticket.id)))
      if (answer.kind === 'approve' && answer.remember) {
        const { scope, pattern } = answer.remember
        const rule = saveRule({ store, judge, now }, { task, ticket, scope, pattern, by })
        recordDecision(
          { store, now },
          { ticket, decision: 'rule.create', by, ruleId: rule.id, detail: `${scope}: ${pattern}` },
        )
      }
      if (answer.kind === 'deny' && answer.stop)
        store.tasks.savePrivate(ticket.taskId, { stopRequested: true })
      recordDecision(
        { store, now },
        { ticket, decision: decisionName(answer), by, detail: answerDetail(answer) },
      )
      const saved = mustHave(store.tickets.get(ticket.id))
      return { kind: 'applied', ticket: saved, seq: lastSeq(applied) }
    })
  }

  function escalate(ticket: Ticket, why: string, by: ClientActor): CallOutput<'ticket.escalate'> {
    return facts.transaction(() => {
      const applied = facts.apply(ticket.taskId, { type: 'escalated', ticketId: ticket.id, why, by })
      if (applied.kind === 'refused') throw refusalError(applied)
      recordDecision({ store, now }, { ticket, decision: 'escalate', by, detail: why })
      return { ticket: mustHave(store.tickets.get(ticket.id)), seq: lastSeq(applied) }
    })
  }

  function answeredFact(ticket: Ticket, answer: Answer, by: ClientActor): Fact {
    const task = mustHave(store.tasks.get(ticket.taskId))
    const fact: Fact = { type: 'answered', ticketId: ticket.id, answer, by }
    // A question from a trailer is answered by the next prompt; what does not fit is refused without one.
    const takesPrompt = isTrailerQuestion(ticket.id) && misfit(ticket.ask, answer) === undefined
    return takesPrompt ? { ...fact, prompt: answerPrompt(task, ticket, answer) } : fact
  }

  return { answer, escalate }
}

function refusedOutcome(
  refused: Extract<Applied, { kind: 'refused' }>,
  ticket: Ticket,
): CallOutput<'ticket.answer'> {
  if (refused.code === 'already_answered') return { kind: 'already_answered', ticket }
  if (refused.code === 'ticket_expired' || refused.code === 'task_over') return { kind: 'expired', ticket }
  throw refusalError(refused)
}

const refusalHints: Partial<Record<Extract<Applied, { kind: 'refused' }>['code'], string>> = {
  user_only: 'The person answers it: on a terminal with "handoff reply". Tell them what waits.',
  not_waiting_review: 'See what the task is doing with "handoff show".',
  task_busy: 'See what it is doing with "handoff show", or wait for it with "handoff wait".',
  task_over: 'Dispatch a new task; "--branch" carries on from the same branch.',
}

/** The error that tells a client why the reducer refused its fact. */
export function refusalError(refused: Extract<Applied, { kind: 'refused' }>): AppError {
  const hint = refusalHints[refused.code]
  return new AppError({
    code: refused.code,
    message: refused.message,
    ...(hint === undefined ? {} : { hint }),
    ...(refused.ticket ? { details: { ticketId: refused.ticket.id } } : {}),
  })
}

/** The number of the last event of a commit. */
export function lastSeq(applied: Committed | Extract<Applied, { kind: 'known' }>): number {
  return applied.task.lastSeq
}

function decisionName(answer: Answer): string {
  if (answer.kind === 'text' || answer.kind === 'options') return 'answer'
  return answer.kind === 'deny' && answer.stop ? 'deny and stop' : answer.kind
}

/** Which role an answer counts for: a person who typed it on a terminal is the user. */
export function asPerson(actor: ClientActor): ClientActor {
  const role: Role = 'user'
  return { ...actor, role, via: 'terminal' }
}

function mustHave<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a row that was just there is gone')
  return value
}
