import type { Task } from './task.ts'
import type { Ask } from './ticket.ts'

/**
 * Whether the person reviews a task, and no agent: it was dispatched from a desk or by the person. Whatever such a task asks is
 * the person's to answer, since nobody else will.
 */
export function isReviewedByPerson({ dispatchedBy: by }: Pick<Task, 'dispatchedBy'>): boolean {
  return by.kind === 'client' && (by.clientKind === 'desk' || by.role === 'user')
}

/** The exact text that a decision on a ticket is about; what a person must have seen before they decide. */
export function decidedText(ask: Ask): string {
  return ask.text
}
