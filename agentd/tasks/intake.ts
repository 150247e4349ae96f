import type { Risk, Ticket } from '../../shared/domain/ticket.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Store } from '../store/store.ts'
import type { ExecutorFact } from '../executors/adapter.ts'
import { recordDecision } from './audit.ts'
import { ticketIdOf } from './executor-bounds.ts'
import type { FactLog } from './fact-log.ts'
import type { Judge } from './judge.ts'
import { findRule } from './rules.ts'

type PermissionFact = Extract<ExecutorFact, { type: 'permission' }>
type QuestionFact = Extract<ExecutorFact, { type: 'question' }>

/** Turns what an executor asks into tickets: judges the risk, picks the audience, lets a saved rule answer. */
export function createIntake({
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
  function permission(task: Task, fact: PermissionFact): void {
    const ticketId = ticketIdOf(task.id, fact.requestId)
    const risk: Risk = judge.permission(task, fact.ask, fact.cwd)
    const ask = { ...fact.ask, kind: 'permission' as const, risk }
    const audience = risk.level === 'dangerous' ? ('user' as const) : ('reviewer' as const)
    // The request and the rule's answer commit together: nobody is ever alerted to what a rule decided.
    facts.transaction(() => {
      const asked = facts.apply(task.id, { type: 'asked', ticketId, audience, ask }, fact.key)
      if (asked.kind !== 'committed' || risk.level === 'dangerous') return
      const rule = findRule({ store, judge }, task, ask)
      if (!rule) return
      const by = { kind: 'rule' as const, ruleId: rule.id }
      const answered = facts.apply(task.id, { type: 'answered', ticketId, answer: { kind: 'approve' }, by })
      if (answered.kind !== 'committed') return
      store.rules.hit(rule.id, now())
      const ticket = store.tickets.get(ticketId) as Ticket
      recordDecision(
        { store, now },
        { ticket, decision: 'approve', by, ruleId: rule.id, detail: `rule: ${rule.pattern}` },
      )
    })
  }

  function question(task: Task, fact: QuestionFact): void {
    const topic = fact.ask.topic ?? 'technical'
    facts.apply(
      task.id,
      {
        type: 'asked',
        ticketId: ticketIdOf(task.id, fact.requestId),
        audience: topic === 'product' ? 'user' : 'reviewer',
        ask: { ...fact.ask, kind: 'question', topic },
      },
      fact.key,
    )
  }

  return { permission, question }
}
