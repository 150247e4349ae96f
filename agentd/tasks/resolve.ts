import { shortId, type Task } from '../../shared/domain/task.ts'
import { shortTicketId, type Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import type { Store } from '../store/store.ts'

/** Finds the one task that an id, or the beginning of one, means. */
export function resolveTask(store: Store, ref: string): Task {
  const exact = ref.length === 36 ? store.tasks.get(ref) : undefined
  if (exact) return exact
  const found = store.tasks.find(ref, 5)
  const only = found[0]
  if (!only)
    throw new AppError({
      code: 'task_not_found',
      message: `There is no task ${ref}.`,
      hint: 'List all tasks with "handoff tasks --all".',
    })
  if (found.length > 1)
    throw new AppError({
      code: 'task_ambiguous',
      message: `${ref} could be ${found.map((task) => shortId(task.id)).join(', ')}.`,
      hint: 'Give more of the id.',
    })
  return only
}

/** Finds the one ticket that an id, or the beginnings of its two halves, mean; open tickets are preferred. */
export function resolveTicket(store: Store, ref: string): Ticket {
  const exact = store.tickets.get(ref)
  if (exact) return exact
  const found = store.tickets.find(ref, 200)
  const answerable = found.filter((ticket) => ticket.ask.kind !== 'review')
  const open = answerable.filter((ticket) => ticket.state === 'open')
  const candidates = open.length > 0 ? open : answerable.length > 0 ? answerable : found
  const only = candidates[0]
  if (!only)
    throw new AppError({
      code: 'ticket_not_found',
      message: `There is no ticket ${ref}.`,
      hint: 'See what waits with "handoff tasks" and "handoff show TASK".',
    })
  if (candidates.length > 1)
    throw new AppError({
      code: 'ticket_ambiguous',
      message: `${ref} could be ${candidates
        .slice(0, 5)
        .map((ticket) => shortTicketId(ticket.id))
        .join(', ')}.`,
      hint: 'Give more of the id.',
    })
  return only
}
