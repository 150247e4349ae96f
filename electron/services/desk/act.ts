import type { Answer, Ticket } from '../../../shared/domain/ticket.ts'
import { decidedText } from '../../../shared/domain/deciding.ts'
import { AppError, assertNever } from '../../../shared/errors.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import type { Tickets } from '../tasks/tickets.ts'
import type { Desk } from './types.ts'

/** What a click outside of a window decides. */
export type Act = Parameters<Desk['act']>[0]

/**
 * Carries out a click in the tray menu or a notification. Throws `person_required` for what is decided in a window only
 * (dangerous approvals), `wrong_answer` for what does not fit or is not what was shown, and `already_answered` / `ticket_expired` for what came too late.
 */
export async function act(tickets: Tickets, { host, ticketId, seen, action }: Act): Promise<void> {
  const { ticket } = await tickets.find({ host, ticketId })
  // A host that was restored from a backup may ask something else under the same id than what stood in the menu.
  if (askDigest(ticket.ask) !== seen) throw otherThanShown()
  const answer = answerOf(ticket, action)
  const decision = await tickets.answer({ host, ticketId, answer, seenText: decidedText(ticket.ask) })
  if (decision.kind === 'already_answered')
    throw new AppError({
      code: 'already_answered',
      message: 'It was answered already.',
      hint: 'Open it to see by whom.',
    })
  if (decision.kind === 'expired')
    throw new AppError({
      code: 'ticket_expired',
      message: 'The executor does not wait for this any more.',
      hint: 'Open the task to see how it went on.',
    })
}

function answerOf({ ask }: Ticket, action: Act['action']): Answer {
  switch (action.kind) {
    case 'approve':
      if (ask.kind !== 'permission') throw doesNotFit()
      // An edit is judged by its diff, for which there is no room outside of a window.
      if (ask.risk.level === 'dangerous' || (ask.diff ?? '') !== '') throw windowOnly()
      return { kind: 'approve' }
    case 'deny':
      if (ask.kind !== 'permission') throw doesNotFit()
      return {
        kind: 'deny',
        stop: false,
        ...(action.message === undefined || action.message === '' ? {} : { message: action.message }),
      }
    case 'option':
      if (ask.kind !== 'question' || !ask.options.some(({ label }) => label === action.label))
        throw doesNotFit()
      return { kind: 'options', labels: [action.label] }
    case 'text':
      // A typed reply to a permission request is a reason against it, never an approval.
      if (ask.kind === 'permission') return { kind: 'deny', stop: false, message: action.text }
      if (ask.kind !== 'question') throw doesNotFit()
      return { kind: 'text', text: action.text }
    default:
      return assertNever(action)
  }
}

function otherThanShown(): AppError {
  return new AppError({
    code: 'wrong_answer',
    message: 'What is asked is not what was shown there.',
    hint: 'Open it and look at it again, then decide.',
  })
}

function windowOnly(): AppError {
  return new AppError({
    code: 'person_required',
    message: 'What is dangerous, or has a diff to read, is approved in the window only.',
    hint: 'Open it and read the whole of it.',
  })
}

function doesNotFit(): AppError {
  return new AppError({
    code: 'wrong_answer',
    message: 'This answer does not fit what is asked.',
    hint: 'Open it in the window.',
  })
}
