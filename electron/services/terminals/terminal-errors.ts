import { AppError } from '../../../shared/errors.ts'
import type { Pty } from './types.ts'

type Exit = Parameters<Parameters<Pty['onExit']>[0]>[0]

/** ssh exits so for its own failures, so it is never the status of tmux. */
const EXIT_SSH = 255
/** A shell says so of a program that is not there. */
const EXIT_NOT_FOUND = 127

/** What the end of an attachment means while its task goes on, and whether it may have ended because the task is over. */
export function exitError(exit: Exit, argv: readonly string[]): { error: AppError; mayBeOver: boolean } {
  if (exit.lost)
    return {
      mayBeOver: false,
      error: new AppError({
        code: 'terminal_failed',
        message: 'The process that runs terminals ended; the agent goes on.',
        hint: 'The terminal comes back by itself.',
      }),
    }
  if (exit.code === EXIT_SSH)
    return {
      mayBeOver: false,
      error: new AppError({
        code: 'connection_lost',
        message: 'The ssh connection of the terminal ended; the agent goes on there.',
        hint: 'The terminal comes back by itself when the host can be reached.',
      }),
    }
  if (exit.code === EXIT_NOT_FOUND)
    return {
      mayBeOver: false,
      error: new AppError({
        code: 'tmux_missing',
        message: `${argv[0] === 'ssh' ? 'tmux was not found on that host' : 'tmux was not found'}.`,
        hint: 'Install it there: `apt-get install tmux`, `dnf install tmux` or `brew install tmux`.',
      }),
    }
  return {
    mayBeOver: true,
    error: new AppError({
      code: 'executor_gone',
      message: 'tmux let go of the agent’s screen.',
      hint: 'It is looked for again by itself.',
    }),
  }
}

/** Somebody typed who had not taken the keyboard. */
export function notControlled(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'This terminal is read-only until you take the keyboard.',
    hint: 'Take the keyboard, then type.',
  })
}

/** There is nothing to type into. */
export function notLive(): AppError {
  return new AppError({
    code: 'connection_lost',
    message: 'The terminal is not connected; what was typed was not sent.',
    hint: 'Wait until it is back, then type again.',
  })
}
