import { randomUUID } from 'node:crypto'
import type { Actor } from '../../shared/domain/actor.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { PermissionAsk, RuleScope, Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import type { Rule } from '../../shared/protocol/records.ts'
import type { Store } from '../store/store.ts'
import type { Judge } from './judge.ts'

/** The key under which a repository's rules are kept: the clone's key, else its path. */
export function repoKey(task: Task): string {
  return task.repo.key ?? task.repo.path
}

/** The saved rule that allows this request without asking, if there is one. Never for a dangerous request. */
export function findRule(
  { store, judge }: { store: Store; judge: Judge },
  task: Task,
  ask: PermissionAsk,
): Rule | undefined {
  if (ask.risk.level === 'dangerous') return undefined
  return store.rules
    .for(task.id, repoKey(task))
    .find((rule) => rule.action === ask.action && judge.covers(rule.pattern, task, ask))
}

/** The rule that remembering this ticket would save, or why there can be none. */
export function previewRule(judge: Judge, task: Task, ticket: Ticket): { pattern: string } | { why: string } {
  if (ticket.ask.kind !== 'permission') return { why: 'Only permissions can be remembered.' }
  if (ticket.ask.risk.level === 'dangerous') return { why: 'A dangerous request is never remembered.' }
  const pattern = judge.suggest(task, ticket.ask)
  return pattern === undefined
    ? { why: 'This request is too particular for a rule that a person could read.' }
    : { pattern }
}

/** Saves a rule for a ticket that is being approved. The rule must cover exactly this request, and be readable. */
export function saveRule(
  { store, judge, now }: { store: Store; judge: Judge; now: () => number },
  {
    task,
    ticket,
    scope,
    pattern,
    by,
  }: { task: Task; ticket: Ticket; scope: RuleScope; pattern: string; by: Actor },
): Rule {
  const preview = previewRule(judge, task, ticket)
  if ('why' in preview)
    throw new AppError({ code: 'rule_refused', message: preview.why, hint: 'Approve it once instead.' })
  if (ticket.ask.kind !== 'permission' || !judge.covers(pattern, task, ticket.ask))
    throw new AppError({
      code: 'rule_refused',
      message: `The rule "${pattern}" does not cover this request.`,
      hint: `The rule for it would be "${preview.pattern}".`,
    })
  const target = scope === 'task' ? task.id : repoKey(task)
  const same = store.rules.findSame(scope, target, ticket.ask.action, pattern)
  if (same) return same
  const rule: Rule = {
    id: randomUUID().slice(0, 8),
    scope,
    target,
    action: ticket.ask.action,
    pattern,
    createdAt: now(),
    createdBy: by,
    hits: 0,
  }
  store.rules.add(rule)
  return rule
}
