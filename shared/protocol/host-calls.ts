import { z } from 'zod'
import { clientIdSchema, roleSchema } from '../domain/actor.ts'
import { taskSchema } from '../domain/task.ts'
import { audienceSchema } from '../domain/ticket.ts'
import { call, nothing, taskRef, typedSchema } from './call-spec.ts'
import { auditEntrySchema, hostInfoSchema, tokenSchema, wireEventSchema } from './records.ts'

/** Calls about the host itself: what it is, who may come in, what was decided, and waiting. */
export const hostCalls = {
  'host.info': call('observer', nothing, hostInfoSchema),
  'gc.run': call(
    'reviewer',
    z.object({ dryRun: z.boolean() }),
    z.object({
      removed: z
        .array(z.object({ what: z.string().max(64), path: z.string().max(4_096), bytes: z.number().int() }))
        .max(10_000),
      kept: z.array(z.object({ path: z.string().max(4_096), why: z.string().max(500) })).max(10_000),
    }),
  ),
  'audit.list': call(
    'observer',
    z.object({
      task: taskRef.optional(),
      limit: z.number().int().min(1).max(1_000).default(200),
      beforeId: z.number().int().optional(),
    }),
    z.object({ entries: z.array(auditEntrySchema) }),
  ),
  'token.present': call(
    'reviewer',
    z.object({ role: roleSchema, name: z.string().min(1).max(200) }),
    z.object({ text: z.string(), nonce: z.string().max(64), sha256: z.string() }),
  ),
  'token.create': call(
    'reviewer',
    z.object({ role: roleSchema, name: z.string().min(1).max(200), typed: typedSchema.optional() }),
    z.object({ token: z.string(), info: tokenSchema }),
  ),
  'token.list': call('reviewer', nothing, z.object({ tokens: z.array(tokenSchema) })),
  'token.revoke': call(
    'reviewer',
    z.object({ token: z.string().min(1).max(200) }),
    z.object({ info: tokenSchema, closedConnections: z.number().int() }),
  ),
  /** Blocks until something needs the consumer; the event counts as seen only after `events.ack`. */
  'wait.next': call(
    'observer',
    z.object({
      consumer: clientIdSchema,
      tasks: z.array(z.uuid()).max(100),
      until: z.enum(['wake', 'over']),
    }),
    z.object({ event: wireEventSchema, audience: audienceSchema.optional(), task: taskSchema }),
  ),
  'events.ack': call(
    'observer',
    z.object({ consumer: clientIdSchema, seq: z.number().int().min(0), taskId: z.uuid().optional() }),
    nothing,
  ),
  'agentd.stop': call('reviewer', nothing, nothing),
} as const
