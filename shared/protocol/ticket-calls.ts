import { z } from 'zod'
import { taskSchema } from '../domain/task.ts'
import { answerSchema, ticketSchema } from '../domain/ticket.ts'
import { call, id, requestId, seenSchema, taskRef, ticketRef, typedSchema } from './call-spec.ts'
import { answerOutcomeSchema, ruleSchema } from './records.ts'

/** Calls about tickets and the rules that answer them. */
export const ticketCalls = {
  'ticket.list': call(
    'observer',
    z.object({
      task: taskRef.optional(),
      open: z.boolean().default(true),
      limit: z.number().int().min(1).max(5_000).default(500),
    }),
    z.object({ tickets: z.array(ticketSchema) }),
  ),
  'ticket.get': call(
    'observer',
    z.object({ ticket: ticketRef }),
    z.object({ ticket: ticketSchema, task: taskSchema }),
  ),
  /** The exact text that a person must be shown, and a nonce that says it was. */
  'ticket.present': call(
    'reviewer',
    z.object({ ticket: ticketRef }),
    z.object({ ticket: ticketSchema, text: z.string(), nonce: z.string().max(64), sha256: z.string() }),
  ),
  'ticket.answer': call(
    'reviewer',
    z.object({
      requestId,
      ticket: ticketRef,
      answer: answerSchema,
      typed: typedSchema.optional(),
      seen: seenSchema.optional(),
    }),
    answerOutcomeSchema,
  ),
  'ticket.escalate': call(
    'reviewer',
    z.object({ requestId, ticket: ticketRef, why: z.string().min(1).max(2_000) }),
    z.object({ ticket: ticketSchema, seq: z.number().int() }),
  ),
  /** The rule that "remember" would save for a ticket; absent when there can be none. */
  'rule.preview': call(
    'observer',
    z.object({ ticket: ticketRef }),
    z.object({ pattern: z.string().optional(), why: z.string().max(500).optional() }),
  ),
  'rule.list': call(
    'observer',
    z.object({ task: taskRef.optional() }),
    z.object({ rules: z.array(ruleSchema) }),
  ),
  'rule.revoke': call('reviewer', z.object({ ruleId: id }), z.object({ rule: ruleSchema })),
} as const
