import { z } from 'zod'
import { textLimits } from '../domain/text-limits.ts'
import { taskSchema, taskStateSchema } from '../domain/task.ts'
import { answerSchema, ticketSchema } from '../domain/ticket.ts'
import { wireErrorSchema } from '../wire-error.ts'
import { wireEventSchema } from '../protocol/records.ts'
import { workFacts } from '../protocol/worktree-calls.ts'
import { hostName } from '../domain/host-name.ts'
import { deskId, ipcCall, listWindow, localPath, mayCancel, nothing, taskAt, ticketAt } from './call-spec.ts'
import { inboxRowSchema, inboxSectionSchema, outboxStateSchema, taskRowSchema } from './views.ts'

const search = z.string().max(textLimits.search).optional()

/** An answer, instruction or decision of the person on its way to a host. */
export const outboxEntrySchema = z.object({
  id: deskId,
  host: hostName,
  taskId: z.string().max(64),
  ticketId: z.string().max(256).optional(),
  state: outboxStateSchema,
  createdAt: z.number().int(),
  answer: answerSchema,
  error: wireErrorSchema.optional(),
})
export type OutboxEntry = z.infer<typeof outboxEntrySchema>

/** What became of an answer. `queued`: kept here, sent when the host is back. */
export const decisionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), ticket: ticketSchema }),
  z.object({ kind: z.literal('already_answered'), ticket: ticketSchema }),
  z.object({ kind: z.literal('expired'), ticket: ticketSchema }),
  z.object({ kind: z.literal('queued'), entry: outboxEntrySchema }),
])
export type Decision = z.infer<typeof decisionSchema>

/** The text of a ticket as it was on the screen when the person decided; another text is refused. */
const seenText = z.string().max(100_000)

/** The round that was on the screen when the person decided; when the task is at another one, it is refused with `wrong_answer`. */
const seenRound = z.number().int().min(0).optional()

/** A finished or running round. */
const roundSchema = z.object({
  round: z.number().int(),
  from: z.string().max(64),
  to: z.string().max(64),
  summary: z.string().max(100_000),
})

/** Calls about tickets and tasks. */
export const workCalls = {
  'inbox.window': ipcCall(
    listWindow.extend({ host: hostName.optional(), text: search, section: inboxSectionSchema.optional() }),
    z.object({
      total: z.number().int(),
      /** In order; rows follow each other in the same order. */
      sections: z.array(z.object({ section: inboxSectionSchema, count: z.number().int() })).max(4),
      rows: z.array(inboxRowSchema).max(500),
    }),
  ),
  'task.window': ipcCall(
    listWindow.extend({
      host: hostName.optional(),
      text: search,
      states: z.array(taskStateSchema).max(8).optional(),
    }),
    z.object({ total: z.number().int(), rows: z.array(taskRowSchema).max(500) }),
  ),
  'ticket.get': ipcCall(
    ticketAt,
    z.object({
      ticket: ticketSchema,
      task: taskSchema,
      outbox: outboxEntrySchema.optional(),
      /** Whether this desk may answer it, and if not, why. */
      mayAnswer: z.boolean(),
      whyNot: z.enum(['observer', 'needs_pairing']).optional(),
    }),
  ),
  'ticket.answer': ipcCall(ticketAt.extend({ answer: answerSchema, seenText }), decisionSchema),
  'ticket.rulePreview': ipcCall(
    ticketAt.extend(mayCancel),
    z.object({ pattern: z.string().max(1_000).optional(), why: z.string().max(500).optional() }),
  ),
  'outbox.list': ipcCall(nothing, z.object({ entries: z.array(outboxEntrySchema).max(1_000) })),
  /** Takes back an answer that has not left this machine. */
  'outbox.discard': ipcCall(z.object({ id: deskId }), z.object({ discarded: z.boolean() })),
  /** From the cache at once; `fresh` says whether the host was asked too. */
  'task.get': ipcCall(
    taskAt,
    z.object({
      task: taskSchema,
      fresh: z.boolean(),
      plan: z.string().max(600_000).optional(),
      tickets: z.array(ticketSchema).max(1_000),
      events: z.array(wireEventSchema).max(1_000),
      rounds: z.array(roundSchema).max(1_000),
      outbox: z.array(outboxEntrySchema).max(100),
    }),
  ),
  'task.events': ipcCall(
    taskAt.extend({
      afterSeq: z.number().int().min(0),
      limit: z.number().int().min(1).max(1_000).default(500),
    }),
    z.object({ events: z.array(wireEventSchema).max(1_000), headSeq: z.number().int() }),
  ),
  /** Sends an instruction to the same session. Kept in the outbox when the host is away. */
  'task.continue': ipcCall(
    taskAt.extend({ text: z.string().min(1).max(textLimits.instruction), round: seenRound }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('sent'), task: taskSchema }),
      z.object({ kind: z.literal('queued'), entry: outboxEntrySchema }),
    ]),
  ),
  'task.done': ipcCall(
    taskAt.extend({
      push: z.boolean(),
      keepWorktree: z.boolean().default(false),
      round: seenRound,
      ...mayCancel,
    }),
    z.object({
      task: taskSchema,
      push: z.string().max(2_000).optional(),
      worktreeWhy: z.string().max(2_000).optional(),
    }),
  ),
  'task.cancel': ipcCall(taskAt.extend(mayCancel), z.object({ task: taskSchema })),
  'task.repair': ipcCall(taskAt.extend(mayCancel), z.object({ outcome: z.string().max(2_000) })),
  /** The unified diff of a task: all of it, one round, or one round against another. */
  'task.diff': ipcCall(
    taskAt.extend({
      jobId: deskId,
      round: z.number().int().min(1).optional(),
      against: z.number().int().min(0).optional(),
    }),
    z.object({
      from: z.string().max(64),
      to: z.string().max(64),
      uncommitted: z.boolean(),
      diff: z.string().max(32 * 1024 * 1024),
      /** The diff was longer than this desk shows; the files after the cut are named by `handoff diff`. */
      cut: z.boolean(),
      ...workFacts,
    }),
  ),
  /** Runs a command in the worktree on the host; output comes as `run.output`. */
  'task.run': ipcCall(
    taskAt.extend({ jobId: deskId, command: z.string().min(1).max(textLimits.command) }),
    z.object({
      exitCode: z.number().int().nullable(),
      signal: z.string().max(32).nullable(),
      timedOut: z.boolean(),
    }),
  ),
  /** What would stop a task, before it is dispatched. */
  'task.check': ipcCall(
    z.object({
      host: hostName,
      repoPath: localPath,
      executor: z.string().max(64),
      base: z.string().max(200).optional(),
      inPlace: z.boolean(),
    }),
    z.object({
      /** Resolved repository, when there is one. */
      repo: z
        .object({
          path: z.string().max(4_096),
          name: z.string().max(200),
          branch: z.string().max(200).optional(),
          head: z.string().max(64),
          branches: z.array(z.string().max(200)).max(500),
          ahead: z.number().int().optional(),
          behind: z.number().int().optional(),
          dirty: z.array(z.string().max(4_096)).max(50),
          dirtyCount: z.number().int(),
        })
        .optional(),
      problems: z
        .array(
          z.object({
            /** `stop` keeps the task from starting; `warn` is for the person to know. */
            level: z.enum(['stop', 'warn']),
            field: z.enum(['host', 'repo', 'executor', 'base', 'plan', 'worktree']),
            error: wireErrorSchema,
          }),
        )
        .max(20),
    }),
  ),
  'task.dispatch': ipcCall(
    z.object({
      jobId: deskId,
      host: hostName,
      repoPath: localPath,
      executor: z.string().min(1).max(64),
      title: z.string().max(200).optional(),
      plan: z.string().min(1).max(textLimits.plan),
      base: z.string().max(200).optional(),
      inPlace: z.boolean().default(false),
      includeDirty: z.boolean().default(false),
      allowDirty: z.boolean().default(false),
    }),
    z.object({ host: hostName, task: taskSchema }),
  ),
  /** A throw-away repository and a task of the scripted executor in it. */
  'demo.start': ipcCall(nothing, z.object({ host: hostName, task: taskSchema })),
  /** Repositories that were used, newest first. */
  'repo.recent': ipcCall(nothing, z.object({ paths: z.array(z.string().max(4_096)).max(50) })),
  /** Folders of this machine below a path, for a chooser where the shell has none. */
  'folder.list': ipcCall(
    z.object({ path: localPath }),
    z.object({
      path: z.string().max(4_096),
      parent: z.string().max(4_096).optional(),
      folders: z.array(z.object({ name: z.string().max(255), isRepository: z.boolean() })).max(2_000),
    }),
  ),
  'folder.pick': ipcCall(nothing, z.object({ path: z.string().max(4_096).optional() })),
} as const
