/** Every error code that may cross a process boundary. Clients map codes to sentences; `message` is the English one. */
export const errorCodes = [
  // calls and connections
  'bad_request',
  'unknown_call',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'too_large',
  'cancelled',
  'timeout',
  'protocol_mismatch',
  'host_unreachable',
  'host_unknown',
  'host_name_taken',
  'connection_lost',
  'internal',
  // tasks and tickets
  'task_not_found',
  'task_ambiguous',
  'task_over',
  'task_busy',
  'not_waiting_review',
  'ticket_not_found',
  'ticket_ambiguous',
  'already_answered',
  'ticket_expired',
  'user_only',
  'person_required',
  'wrong_answer',
  'rule_refused',
  'rule_not_found',
  'token_not_found',
  // executors
  'executor_unknown',
  'executor_missing',
  'executor_failed',
  'executor_gone',
  'environment_file',
  'tmux_missing',
  'terminal_failed',
  // git
  'git.missing',
  'git.not_a_repository',
  'git.unknown_revision',
  'git.dirty',
  'git.branch_exists',
  'git.branch_checked_out',
  'git.bad_name',
  'git.bad_bundle',
  'git.shallow',
  'git.would_lose_changes',
  'git.no_remote',
  'git.push_failed',
  'git.failed',
  // files
  'path_outside',
  'file_not_found',
  'not_a_file',
  // agentd itself
  'agentd_running',
  'agentd_not_running',
  'database_newer',
  'database_locked',
  'database_unusable',
  'disk_full',
  'home_unsafe',
  'needs_token',
  'public_address',
  'usage',
  // the desk
  'port_taken',
  'no_display',
  'session_not_found',
  'desk_not_running',
  'editor_failed',
  // putting Handoff on a host
  'host_unsuitable',
  'node_missing',
  'program_missing',
  'remote_failed',
] as const

/** One code of the closed list. */
export type ErrorCode = (typeof errorCodes)[number]

/** An error a person can act on: what happened (`message`), what to do next (`hint`), and facts for programs (`details`). */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    {
      code,
      message,
      hint,
      details,
    }: { code: ErrorCode; message: string; hint?: string; details?: Record<string, unknown> },
    options?: { cause?: unknown },
  ) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    this.hint = hint
    this.details = details
  }
}

/** The form in which an error crosses a process boundary; its schema is `wireErrorSchema` in wire-error.ts. */
export interface WireError {
  code: ErrorCode
  message: string
  hint?: string | undefined
  details?: Record<string, unknown> | undefined
}

/** Turns anything thrown into wire form; what is not an AppError is a bug and tells nothing but `internal`. */
export function toWireError(error: unknown): WireError {
  if (!(error instanceof AppError))
    return { code: 'internal', message: 'Something went wrong inside Handoff.' }
  return {
    code: error.code,
    message: error.message.slice(0, 2_000),
    ...(error.hint === undefined ? {} : { hint: error.hint.slice(0, 2_000) }),
    ...(error.details === undefined ? {} : { details: { ...error.details } }),
  }
}

/** Rebuilds the AppError that the other side sent. */
export function fromWireError(wire: WireError): AppError {
  return new AppError({
    code: wire.code,
    message: wire.message,
    ...(wire.hint === undefined ? {} : { hint: wire.hint }),
    ...(wire.details === undefined ? {} : { details: wire.details }),
  })
}

/** Closes a union: a case that was forgotten does not compile, and throws if it ever happens. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
