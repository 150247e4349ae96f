import type { NewEvent } from '../event.ts'
import { closedReasons } from '../closed-reasons.ts'
import type { Fact } from '../fact.ts'
import type { TaskState } from '../task.ts'
import { become, expire, openTickets, type Draft } from './draft.ts'

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

/** The task could not be started or carried on. */
export function failed(draft: Draft, fact: FactOf<'failed'>): undefined {
  const { type: _, ...body } = fact
  end(draft, { state: 'failed', reason: fact.message, event: { type: 'failed', body } })
}

/** The executor's program is gone. */
export function crashed(draft: Draft, fact: FactOf<'crashed'>): undefined {
  const { type: _, ...body } = fact
  end(draft, { state: 'failed', reason: fact.message, event: { type: 'crashed', body } })
}

/** Someone stopped the task. */
export function cancelled(draft: Draft, fact: FactOf<'cancelled'>): undefined {
  const { type: _, ...body } = fact
  end(draft, { state: 'cancelled', reason: fact.note, event: { type: 'cancelled', body } })
}

/** Ends a task: what still waits expires, nothing more is delivered, and the ending is the last event. */
export function end(
  draft: Draft,
  { state, reason, event }: { state: TaskState; reason: string | undefined; event: NewEvent },
): void {
  for (const ticket of openTickets(draft)) expire(draft, ticket, closedReasons.task_over)
  become(draft, state)
  const { stalledSince: _stalled, offlineSince: _offline, ...task } = draft.task
  draft.task = {
    ...task,
    endedAt: draft.at,
    ...(reason === undefined ? {} : { endReason: reason.slice(0, 2_000) }),
  }
  draft.events.push(event)
  draft.effects.push({ kind: 'drop' })
}
