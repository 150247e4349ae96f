import type { ZodError } from 'zod'
import type { Role } from '../../shared/domain/actor.ts'
import { AppError } from '../../shared/errors.ts'
import { calls, type CallName } from '../../shared/protocol.ts'
import { type CallSpec } from '../../shared/protocol/call-spec.ts'
import type { CallContext, Handlers } from './call-context.ts'

const rank: Record<Role, number> = { observer: 0, reviewer: 1, user: 2 }

/**
 * Checks a call (name, role, input), carries it out and checks the answer; fields that the protocol does not name are
 * not sent. Throws AppErrors for what the client did wrong, and anything else for a bug.
 */
export async function dispatch({
  handlers,
  name,
  input,
  context,
}: {
  handlers: Handlers
  name: string
  input: unknown
  context: CallContext
}): Promise<unknown> {
  if (!isCallName(name))
    throw new AppError({
      code: 'unknown_call',
      message: 'This host does not know that call.',
      hint: 'The host may run an older version of Handoff; update it.',
    })
  const spec: CallSpec = calls[name]
  if (rank[context.role] < rank[spec.role])
    throw new AppError({
      code: 'forbidden',
      message: `${name} needs the role ${spec.role}; this connection is ${context.role}.`,
      hint: 'Connect with a token of that role.',
      details: { needs: spec.role, has: context.role },
    })
  const parsed = spec.input.safeParse(input ?? {})
  if (!parsed.success) throw badInput(name, parsed.error)
  // The table of handlers is typed per call; by name alone TypeScript cannot pair input and handler.
  const handler = handlers[name] as (input: unknown, context: CallContext) => unknown
  return spec.output.parse(await handler(parsed.data, context))
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/** Names the field and nothing of zod's own text, which contains patterns and parts of the input. */
function badInput(name: CallName, error: ZodError): AppError {
  const issue = error.issues[0]
  const field = issue?.path.map(String).join('.').slice(0, 100)
  return new AppError({
    code: 'bad_request',
    message: field ? `${name}: the field “${field}” is not valid.` : `${name}: the input is not valid.`,
    details: { field: field ?? '', problem: issue?.code ?? 'invalid' },
  })
}
