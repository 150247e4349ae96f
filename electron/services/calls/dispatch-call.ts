import type { z } from 'zod'
import { AppError, toWireError } from '../../../shared/errors.ts'
import {
  ipcCalls,
  ipcRequestSchema,
  type IpcAnswer,
  type IpcCaller,
  type IpcCallName,
  type IpcHandlers,
} from '../../../shared/ipc.ts'
import { systemCodeOf } from '../../../shared/node/system-code.ts'

/** What the dispatcher writes down. */
export interface CallLog {
  warn(fields: object, sentence: string): void
  error(fields: object, sentence: string): void
}

/** Answers one call of a window; never rejects. */
export type CallDispatcher = (request: unknown, caller: IpcCaller) => Promise<IpcAnswer>

/**
 * Carries out calls of windows: the name must be declared, input and output must fit their schemas. What is wrong with an
 * input stands in the log; the window is told `bad_request`. What is no AppError is a bug: the window is told `internal`.
 */
export function createCallDispatcher(handlers: IpcHandlers, log: CallLog): CallDispatcher {
  return async (request, caller) => {
    const name = nameOf(request)
    try {
      return { ok: true, value: await answer(handlers, { request, caller, log }) }
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error, call: name }, 'a call failed by a bug')
      else if (error.code === 'internal') log.error({ err: error, call: name }, 'a call failed inside')
      return { ok: false, error: toWireError(isDiskFull(error) ? diskFull(error) : error) }
    }
  }
}

interface Asked {
  request: unknown
  caller: IpcCaller
  log: CallLog
}

async function answer(handlers: IpcHandlers, { request, caller, log }: Asked): Promise<unknown> {
  const asked = ipcRequestSchema.safeParse(request)
  if (!asked.success) throw badRequest('A call could not be read.')
  const { name } = asked.data
  if (!isCallName(name))
    throw new AppError({
      code: 'unknown_call',
      message: 'The window asked for something that this version does not know.',
      hint: 'Reload the window; it may be older than the program.',
    })
  const spec = ipcCalls[name]
  const input = spec.input.safeParse(asked.data.input ?? {})
  if (!input.success) {
    log.warn({ call: name, issues: issuesOf(input.error) }, 'the input of a call does not fit')
    throw badRequest(`The input of ${name} does not fit.`)
  }
  // The schema that has just checked it belongs to this very name.
  const handler = handlers[name] as (input: unknown, caller: IpcCaller) => unknown
  const output = spec.output.safeParse(await handler(input.data, caller))
  if (output.success) return output.data
  throw new Error(`the answer to ${name} does not fit: ${JSON.stringify(issuesOf(output.error))}`)
}

function isCallName(name: string): name is IpcCallName {
  return Object.hasOwn(ipcCalls, name)
}

function nameOf(request: unknown): string {
  const name = typeof request === 'object' && request !== null && 'name' in request ? request.name : undefined
  return typeof name === 'string' ? name.slice(0, 64) : '?'
}

/** Where and what, never the value: it may hold a token. */
function issuesOf(error: z.ZodError): { path: string; code: string; message: string }[] {
  return error.issues
    .slice(0, 10)
    .map(({ path, code, message }) => ({ path: path.join('.'), code, message: message.slice(0, 200) }))
}

function isDiskFull(error: unknown): boolean {
  const code = systemCodeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL'
}

function diskFull(cause: unknown): AppError {
  return new AppError(
    {
      code: 'disk_full',
      message: 'There is no room left on the disk of this machine.',
      hint: 'Free some space and try again.',
    },
    { cause },
  )
}

function badRequest(message: string): AppError {
  return new AppError({ code: 'bad_request', message, hint: 'Reload the window, then try again.' })
}
