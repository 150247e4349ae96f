import { z } from 'zod'
import { actorSchema, roleSchema } from '../domain/actor.ts'
import { ruleScopeSchema, ticketSchema } from '../domain/ticket.ts'
import { id } from './call-spec.ts'

/** Why a program cannot be used as an executor: it is not in the PATH, too old, answers nothing, or fails when asked. */
export const executorProblemReasonSchema = z.enum(['not_found', 'too_old', 'no_answer', 'broken'])

/** One of the reasons of `executorProblemReasonSchema`. */
export type ExecutorProblemReason = z.infer<typeof executorProblemReasonSchema>

/** An executor as a host offers it: whether it can be used, and if not, why. */
export const executorInfoSchema = z.object({
  name: z.string().max(64),
  available: z.boolean(),
  version: z.string().max(100).optional(),
  path: z.string().max(4_096).optional(),
  problem: z.string().max(1_000).optional(),
  /** Unknown to older hosts; a reason that is new to this side counts as none. */
  reason: executorProblemReasonSchema.optional().catch(undefined),
  notes: z.array(z.string().max(1_000)).max(20),
})

/** One entry of `executorInfoSchema`. */
export type ExecutorInfo = z.infer<typeof executorInfoSchema>

/** What a host says of itself. `startedAt` is ms since the epoch. */
export const hostInfoSchema = z.object({
  hostId: z.uuid(),
  name: z.string().max(255),
  version: z.string().max(64),
  pid: z.number().int(),
  startedAt: z.number().int(),
  home: z.string().max(4_096),
  node: z.string().max(64),
  path: z.string().max(32_768),
  /** Names of the proxy variables that executors get, never their values. */
  proxies: z.array(z.string().max(64)).max(20),
  /** Why the login shell's environment could not be read, when it could not. */
  environmentProblem: z.string().max(1_000).optional(),
  environmentFiles: z
    .array(
      z.object({
        executor: z.string().max(64),
        path: z.string().max(4_096),
        problem: z.string().max(1_000).optional(),
      }),
    )
    .max(50),
  tmux: z.string().max(200).optional(),
  git: z.string().max(200).optional(),
  listening: z.array(z.string().max(4_096)).max(10),
  executors: z.array(executorInfoSchema).max(50),
  openTasks: z.number().int(),
  databaseBytes: z.number().int(),
  watchdogMs: z.number().int(),
})

/** A remembered approval. Times are ms since the epoch. */
export const ruleSchema = z.object({
  id,
  scope: ruleScopeSchema,
  /** Task id, or the key of the repository. */
  target: z.string().max(4_096),
  action: z.string().max(64),
  pattern: z.string().max(1_000),
  createdAt: z.number().int(),
  createdBy: actorSchema,
  hits: z.number().int(),
  lastHitAt: z.number().int().optional(),
})
export type Rule = z.infer<typeof ruleSchema>

/** One decision in the audit log. `at` is ms since the epoch. */
export const auditEntrySchema = z.object({
  id: z.number().int(),
  at: z.number().int(),
  taskId: z.string().max(64).optional(),
  ticketId: z.string().max(256).optional(),
  /** What was decided: approve, deny, answer, continue, done, cancel, escalate, rule.create, rule.revoke, token.create, … */
  decision: z.string().max(64),
  by: actorSchema,
  ruleId: z.string().max(64).optional(),
  /** The exact text decided on (command, question, path, …). */
  text: z.string().max(100_000),
  detail: z.string().max(20_000).optional(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** A token without its secret. Times are ms since the epoch. */
export const tokenSchema = z.object({
  id,
  name: z.string().max(200),
  role: roleSchema,
  createdAt: z.number().int(),
  lastUsedAt: z.number().int().optional(),
})

/** Outcome of answering a ticket; `already_answered` carries the first answer. */
export const answerOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), ticket: ticketSchema, seq: z.number().int() }),
  z.object({ kind: z.literal('already_answered'), ticket: ticketSchema }),
  z.object({ kind: z.literal('expired'), ticket: ticketSchema }),
])

/** An event as it is stored; kept loose here so that a newer host's events pass through. Parse with `eventSchema`. */
export const wireEventSchema = z.looseObject({
  seq: z.number().int(),
  taskId: z.string().max(64),
  at: z.number().int(),
  type: z.string().max(64),
  body: z.record(z.string(), z.unknown()),
})
export type WireEvent = z.infer<typeof wireEventSchema>

/** Most characters of an event's mark. */
export const MAX_MARK = 200

/**
 * Tells an event from every other that may ever get its number: a host that was restored from a backup gives numbers out again, but
 * not for the same kind of event of the same task in the same millisecond.
 */
export function eventMark({
  seq,
  at,
  type,
  taskId,
}: Pick<WireEvent, 'seq' | 'at' | 'type' | 'taskId'>): string {
  return `${seq} ${at} ${type} ${taskId}`
}
