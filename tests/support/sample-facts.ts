import type { Actor } from '../../shared/domain/actor.ts'
import type { NewEvent } from '../../shared/domain/event.ts'
import type { Fact } from '../../shared/domain/fact.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { PermissionAsk, QuestionAsk, Ticket } from '../../shared/domain/ticket.ts'

/** The id of the sample task. */
export const TASK_ID = '3fa2c0de-0000-4000-8000-000000000001'
/** A commit id. */
export const SHA = 'a'.repeat(40)

/** An agent that reviews. */
export const reviewer: Actor = {
  kind: 'client',
  clientId: 'agent-1',
  clientKind: 'agent',
  name: 'an agent',
  role: 'reviewer',
  via: 'socket',
}
/** The person. */
export const user: Actor = { ...reviewer, clientId: 'desk-1', clientKind: 'desk', name: 'Kim', role: 'user' }
/** A remembered approval. */
export const rule: Actor = { kind: 'rule', ruleId: 'rule-1' }

/** A pending task; `change` replaces fields. */
export function sampleTask(change: Partial<Task> = {}): Task {
  return {
    id: TASK_ID,
    title: 'Add a greeting',
    state: 'pending',
    executor: 'demo',
    repo: { kind: 'path', path: '/srv/repo', name: 'repo' },
    worktree: '/srv/worktrees/repo-3fa2c0de',
    inPlace: false,
    branch: 'handoff/3fa2c0de-greeting',
    base: SHA,
    round: 1,
    dispatchedBy: reviewer,
    createdAt: 1_000,
    updatedAt: 1_000,
    openTickets: 0,
    lastSeq: 0,
    ...change,
  }
}

/** A question ticket that is open; `change` replaces fields. */
export function sampleTicket(change: Partial<Ticket> = {}): Ticket {
  return {
    id: `${TASK_ID}:per_1`,
    taskId: TASK_ID,
    state: 'open',
    audience: 'reviewer',
    ask: question(),
    openedAt: 1_000,
    openedSeq: 1,
    ...change,
  }
}

/** A request to run a command. */
export function permission(level: 'routine' | 'dangerous' = 'routine'): PermissionAsk {
  return { kind: 'permission', action: 'command', text: 'npm test', risk: { level } }
}

/** A technical question with two options; `change` replaces fields. */
export function question(change: Partial<QuestionAsk> = {}): QuestionAsk {
  return {
    kind: 'question',
    text: 'Which?',
    topic: 'technical',
    options: [{ label: 'red' }, { label: 'blue' }],
    multiple: false,
    ...change,
  }
}

/** The worktree is there. */
export const submitted: Fact = { type: 'submitted', worktree: '/w', branch: 'handoff/x', base: SHA }
/** The executor is up. */
export const started: Fact = { type: 'started', session: 'ses_1' }
/** A finished round. */
export const turnCompleted: Fact = {
  type: 'turn_completed',
  branch: 'handoff/x',
  commit: 'b'.repeat(40),
  summary: 'Greeted.',
  commits: 1,
  source: 'trailer',
  differs: [],
}

/** A request of the executor under its own id. */
export function asks(
  requestId: string,
  ask: PermissionAsk | QuestionAsk = permission(),
): Extract<Fact, { type: 'asked' }> {
  return { type: 'asked', ticketId: `${TASK_ID}:${requestId}`, audience: 'reviewer', ask }
}

/** A remark as an event. */
export function noteEvent(text = 'a remark'): NewEvent {
  return { type: 'note', body: { text, by: reviewer } }
}
