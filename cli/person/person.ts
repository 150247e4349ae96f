import { shortId } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { agentMark, taskAncestor } from './agent-marks.ts'

/** What is known about who sits at this end. */
export interface Seat {
  env: Readonly<Record<string, string | undefined>>
  stdinIsTerminal: boolean
  stdoutIsTerminal: boolean
  pid: number
}

/**
 * Throws `person_required` unless a person can be typing here: both ends a terminal, no mark of an agent in the
 * environment or in an ancestor's. This keeps agents from answering by mistake; docs/security.md says what it cannot stop.
 */
export function requirePerson(seat: Seat, { what, otherwise }: { what: string; otherwise: string }): void {
  const why = whyNoPerson(seat)
  if (why === undefined) return
  throw new AppError({ code: 'person_required', message: `${what} needs a person: ${why}.`, hint: otherwise })
}

/** Why nobody can be typing here, in words; undefined when somebody may be. */
export function whyNoPerson(seat: Seat): string | undefined {
  if (!seat.stdinIsTerminal) return 'the input does not come from a terminal'
  if (!seat.stdoutIsTerminal) return 'the output does not go to a terminal, so nobody sees what is decided'
  return whyAgent(seat)
}

/**
 * Throws `person_required` when an agent started this. For what a person may also do without a terminal, such as from a
 * service or a script of their own.
 */
export function refuseAgent(seat: Seat, { what, otherwise }: { what: string; otherwise: string }): void {
  const why = whyAgent(seat)
  if (why === undefined) return
  throw new AppError({ code: 'person_required', message: `${what} needs a person: ${why}.`, hint: otherwise })
}

function whyAgent({ env, pid }: Pick<Seat, 'env' | 'pid'>): string | undefined {
  const mark = agentMark(env)
  if (mark !== undefined) return `this shell was started by an agent (${mark} is set)`
  const ancestor = taskAncestor(pid)
  if (ancestor !== undefined)
    return `process ${ancestor.pid}, which started this one, belongs to the executor of task ${shortId(visibleLine(ancestor.taskId))}`
  return undefined
}
