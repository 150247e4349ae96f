import type { Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import { askDigest } from '../../shared/node/ask-digest.ts'
import type { Store } from '../store/store.ts'

/**
 * Throws `wrong_answer` when a decision names what was asked and an open ticket asks something else. A ticket that is closed or not
 * there is for the reducer to refuse, which can say what became of it.
 */
export function requireSeen(ticket: Ticket | undefined, seen: string | undefined): void {
  if (seen === undefined || ticket?.state !== 'open' || askDigest(ticket.ask) === seen) return
  throw new AppError({
    code: 'wrong_answer',
    message: 'What is asked now is not what this answers.',
    hint: 'Look at it again, then decide.',
    details: { ticketId: ticket.id },
  })
}

/** The review that a task waits for. */
export function openReview(store: Store, taskId: string): Ticket | undefined {
  return store.tickets.open(taskId).find((ticket) => ticket.ask.kind === 'review')
}
