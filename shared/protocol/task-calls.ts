import { z } from 'zod'
import { textLimits } from '../domain/text-limits.ts'
import { branchSchema, originSchema, shaSchema, taskSchema, taskStateSchema } from '../domain/task.ts'
import { ticketSchema } from '../domain/ticket.ts'
import { absolutePath, call, note, requestId, seenSchema, taskRef } from './call-spec.ts'
import { wireEventSchema } from './records.ts'

const repoChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: absolutePath }),
  z.object({ kind: z.literal('clone'), key: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/) }),
])

/** Calls about tasks. */
export const taskCalls = {
  'task.dispatch': call(
    'reviewer',
    z.object({
      requestId,
      title: z.string().min(1).max(200),
      plan: z.string().min(1).max(textLimits.plan),
      executor: z.string().min(1).max(64),
      repo: repoChoice,
      base: shaSchema.optional(),
      branch: branchSchema.optional(),
      inPlace: z.boolean().default(false),
      allowDirty: z.boolean().default(false),
      origin: originSchema.optional(),
      model: z.string().max(200).optional(),
    }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.list': call(
    'observer',
    z.object({
      over: z.boolean().default(false),
      states: z.array(taskStateSchema).max(8).optional(),
      limit: z.number().int().min(1).max(5_000).default(500),
      beforeId: z.uuid().optional(),
    }),
    z.object({ tasks: z.array(taskSchema), headSeq: z.number().int() }),
  ),
  'task.find': call(
    'observer',
    z.object({ ref: taskRef, limit: z.number().int().min(1).max(50).default(10) }),
    z.object({ tasks: z.array(taskSchema) }),
  ),
  'task.get': call(
    'observer',
    z.object({ task: taskRef, historyLimit: z.number().int().min(0).max(1_000).default(200) }),
    z.object({
      task: taskSchema,
      plan: z.string(),
      tickets: z.array(ticketSchema),
      events: z.array(wireEventSchema),
      rounds: z.array(
        z.object({ round: z.number().int(), from: shaSchema, to: shaSchema, summary: z.string() }),
      ),
      /** Whether a client with the role user is connected now. */
      personConnected: z.boolean(),
      tmux: z
        .object({
          session: z.string(),
          socketDir: z.string().optional(),
          /** As `tmux -V` says it: what may be asked of a client that attaches. An older host does not tell it. */
          version: z.string().max(100).optional(),
        })
        .optional(),
    }),
  ),
  'task.events': call(
    'observer',
    z.object({
      task: taskRef,
      afterSeq: z.number().int().min(0),
      limit: z.number().int().min(1).max(1_000).default(500),
    }),
    z.object({ events: z.array(wireEventSchema), headSeq: z.number().int() }),
  ),
  'task.continue': call(
    'reviewer',
    z.object({
      requestId,
      task: taskRef,
      text: z.string().min(1).max(textLimits.instruction),
      /** Of the review that this answers. */
      seen: seenSchema.optional(),
    }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.note': call(
    'reviewer',
    z.object({ requestId, task: taskRef, text: z.string().min(1).max(20_000) }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.done': call(
    'reviewer',
    z.object({
      requestId,
      task: taskRef,
      push: z.boolean(),
      keepWorktree: z.boolean(),
      note: note.optional(),
      /** Of the review that this answers. */
      seen: seenSchema.optional(),
    }),
    z.object({
      task: taskSchema,
      seq: z.number().int(),
      push: z.string().optional(),
      worktree: z.enum(['removed', 'kept']),
      worktreeWhy: z.string().optional(),
    }),
  ),
  'task.cancel': call(
    'reviewer',
    z.object({ requestId, task: taskRef, note: note.optional() }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.repair': call(
    'reviewer',
    z.object({ requestId, task: taskRef }),
    z.object({ task: taskSchema, outcome: z.string().max(2_000) }),
  ),
} as const
