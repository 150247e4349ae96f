import type { Actor } from '../../shared/domain/actor.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { decidedText } from '../../shared/domain/deciding.ts'
import type { Store } from '../store/store.ts'

interface Decision {
  ticket: Ticket
  decision: string
  by: Actor
  ruleId?: string
  detail?: string
}

/** Writes a decision on a ticket into the audit log; call it in the transaction that makes the decision. */
export function recordDecision(
  { store, now }: { store: Store; now: () => number },
  decision: Decision,
): void {
  store.audit.add({
    at: now(),
    taskId: decision.ticket.taskId,
    ticketId: decision.ticket.id,
    decision: decision.decision,
    by: decision.by,
    text: decidedText(decision.ticket.ask),
    ...(decision.ruleId === undefined ? {} : { ruleId: decision.ruleId }),
    ...(decision.detail === undefined ? {} : { detail: decision.detail.slice(0, 20_000) }),
  })
}

/** Writes a decision that is not about a ticket (done, cancel, a rule revoked, a token created). */
export function recordAct(
  { store, now }: { store: Store; now: () => number },
  act: { decision: string; by: Actor; text: string; taskId?: string; detail?: string },
): void {
  store.audit.add({
    at: now(),
    decision: act.decision,
    by: act.by,
    text: act.text.slice(0, 100_000),
    ...(act.taskId === undefined ? {} : { taskId: act.taskId }),
    ...(act.detail === undefined ? {} : { detail: act.detail.slice(0, 20_000) }),
  })
}
