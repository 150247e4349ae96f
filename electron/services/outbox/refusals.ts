import { AppError } from '../../../shared/errors.ts'
import type { Entry } from './entries.ts'

/** There is an answer to the same thing already. */
export function onItsWay({ id, kind }: Entry): AppError {
  return new AppError({
    code: 'bad_request',
    message:
      kind === 'answer'
        ? 'An answer to this is on its way already.'
        : 'An instruction for this round is on its way already.',
    hint: 'Take the earlier one back first, as long as it has not been sent.',
    details: { outboxId: id },
  })
}

/** Nobody gives so many answers; something is wrong. */
export function tooMany(max: number): AppError {
  return new AppError({
    code: 'too_large',
    message: `${max} answers wait for their hosts already.`,
    hint: 'Wait until a host is back, or take some of them back.',
  })
}

/** A review is continued or finished by calls of its own. */
export function reviewIsNoTicket(): AppError {
  return new AppError({
    code: 'wrong_answer',
    message: 'A review is not answered like a ticket.',
    hint: 'Send the task back with an instruction, or finish it.',
  })
}

/** Told to who waits for an answer that somebody took back. */
export function takenBack(): AppError {
  return new AppError({ code: 'cancelled', message: 'The answer was taken back before it was sent.' })
}

/** Entries of a form that this version does not know. */
export function unreadableEntries(count: number, file: string): AppError {
  return new AppError({
    code: 'database_unusable',
    message: `${count} entries of ${file} cannot be read by this version; they were left alone.`,
    hint: 'Look whether answers that you gave lately have arrived, and give them again where they have not.',
  })
}
