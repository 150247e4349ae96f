import type { Audience } from '../../shared/domain/ticket.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import type { Context } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import type { JsonOut, SyncOut } from '../json-shapes.ts'
import { knownEvent } from '../output/event-words.ts'
import { returnsTo, trySyncBack } from './sync-back.ts'
import { nextCommands, taskOut, type OpenTicket } from './task-out.ts'

/** The JSON line of one event: what happened, where the task stands, and the exact commands that fit. */
export function eventOut({
  host,
  event,
  audience,
  task,
  sync,
}: {
  host: string
  event: WireEvent
  audience: Audience | undefined
  task: Task
  sync: SyncOut | undefined
}): JsonOut<'wait'> {
  const ticket = ticketOfEvent(event, audience)
  return {
    v: 1,
    host,
    event,
    ...(audience === undefined ? {} : { audience }),
    task: taskOut(host, task),
    ...(sync === undefined ? {} : { sync }),
    next: nextCommands(task, ticket === undefined ? [] : [ticket]),
  }
}

/** The ticket that an event opened, as far as the event itself tells; saves a call before a wait can end. */
function ticketOfEvent(wire: WireEvent, audience: Audience | undefined): OpenTicket | undefined {
  const event = knownEvent(wire)
  if (event === undefined) return undefined
  switch (event.type) {
    case 'permission_request':
    case 'question':
      return {
        id: event.body.ticketId,
        taskId: event.taskId,
        state: 'open',
        audience: audience ?? event.body.audience,
        ask: event.body.ask,
      }
    case 'completed':
    case 'turn_failed': {
      const ask = { kind: 'review' as const, round: event.body.round, text: '' }
      return { id: event.body.ticketId, taskId: event.taskId, state: 'open', audience: 'reviewer', ask }
    }
    default:
      return undefined
  }
}

const ROUND_ENDS = new Set(['completed', 'turn_failed', 'done'])

/** After a round of a task whose repository is here: brings its branch back. Never throws for a failed sync. */
export async function syncAfterRound(
  context: Context,
  { host, client, event, task }: { host: string; client: HostClient; event: WireEvent; task: Task },
): Promise<SyncOut | undefined> {
  if (!ROUND_ENDS.has(event.type)) return undefined
  const target = returnsTo(context, host, task)
  if (target === undefined) return undefined
  return trySyncBack({ where: { ...context, host }, first: client }, { task, target })
}
