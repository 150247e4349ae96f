import type { Actor } from './actor.ts'
import type { Difference, EventBody, NewEvent } from './event.ts'
import type { Changes, Task } from './task.ts'
import type { Answer, Ask, Audience, Ticket } from './ticket.ts'

/** Everything that can happen to a task. `reduce` is the only code that turns a fact into a new state. */
export type Fact =
  | { type: 'dispatched'; task: Task }
  | { type: 'submitted'; worktree: string; branch: string; base: string }
  | { type: 'started'; session: string }
  /** The ticket's id ends in the executor's own id of the request, or in `ask-…` when the question came in a trailer. */
  | { type: 'asked'; ticketId: string; audience: Audience; ask: Exclude<Ask, { kind: 'review' }> }
  /** `prompt` is what the executor is told when the question came in a trailer; absent: the answer itself. */
  | { type: 'answered'; ticketId: string; answer: Answer; by: Actor; prompt?: string }
  | { type: 'escalated'; ticketId: string; why: string; by: Actor }
  | { type: 'request_gone'; ticketId: string; reason: string }
  | { type: 'delivered'; deliveryId: number; ticketId?: string; note?: string }
  | { type: 'delivery_failed'; deliveryId: number; ticketId?: string; attempt: number; message: string }
  | {
      type: 'turn_completed'
      branch: string
      commit: string
      summary: string
      commits: number
      changes?: Changes
      source: 'trailer' | 'git'
      differs: Difference[]
    }
  | { type: 'turn_failed'; message: string }
  /** `prompt` is what the executor is told; absent: the text itself. */
  | { type: 'continued'; text: string; by: Actor; prompt?: string }
  | { type: 'progress'; body: EventBody<'progress'> }
  | { type: 'stalled'; silentMs: number }
  | { type: 'offline'; message: string }
  | { type: 'online' }
  | { type: 'failed'; message: string; hint?: string }
  | { type: 'crashed'; message: string; logTail: string }
  | { type: 'done'; note?: string; push?: string; by: Actor }
  | { type: 'cancelled'; note?: string; by: Actor }
  | { type: 'ran'; command: string; exitCode: number | null; timedOut: boolean; by: Actor }
  | { type: 'repaired'; outcome: string; by: Actor }
  | { type: 'note'; text: string; by: Actor }

/** What must reach the executor once the fact is committed. */
export type Effect =
  | { kind: 'prompt'; text: string; ticketId?: string }
  | { kind: 'respond'; ticketId: string; requestId: string; ask: 'permission' | 'question'; answer: Answer }
  /** The task is over: nothing that is still undelivered may be delivered. */
  | { kind: 'drop' }

/** Why a fact cannot be: codes of shared/errors.ts. */
export type Refusal =
  | 'task_over'
  | 'not_waiting_review'
  | 'ticket_not_found'
  | 'already_answered'
  | 'ticket_expired'
  | 'wrong_answer'
  | 'user_only'
  | 'task_busy'

/** What a fact leads to: the new state and what follows from it, or a refusal that changes nothing. */
export type Reduced =
  | { kind: 'changed'; task: Task; tickets: Ticket[]; events: NewEvent[]; effects: Effect[] }
  | { kind: 'refused'; code: Refusal; message: string; ticket?: Ticket }
