import { z } from 'zod'
import { roleSchema } from '../domain/actor.ts'
import { changesSchema, lastRunSchema, taskStateSchema } from '../domain/task.ts'
import { audienceSchema } from '../domain/ticket.ts'
import { wireErrorSchema } from '../wire-error.ts'
import { hostName } from '../domain/host-name.ts'
import { inboxSections } from './sections.ts'

/**
 * How a host is doing. `live` means fresh: connected, its heartbeat was answered, and every event up to its newest is here.
 * Times are ms since the epoch.
 */
export const hostStateSchema = z.discriminatedUnion('kind', [
  /** agentd of this machine is being started. */
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('connecting') }),
  /** `received`: tasks and tickets that have come so far, while all of them are being sent. */
  z.object({
    kind: z.literal('catching_up'),
    behind: z.number().int().min(0),
    received: z.number().int().min(0).optional(),
  }),
  z.object({ kind: z.literal('live'), since: z.number().int() }),
  z.object({
    kind: z.literal('offline'),
    since: z.number().int(),
    /** When the next try begins by itself. */
    retryAt: z.number().int().optional(),
    error: wireErrorSchema,
  }),
  /** The host does not want this desk (token); trying again is of no use before somebody did something. */
  z.object({ kind: z.literal('refused'), since: z.number().int(), error: wireErrorSchema }),
  z.object({
    kind: z.literal('version'),
    since: z.number().int(),
    which: z.enum(['host_older', 'host_newer', 'unknown']),
    error: wireErrorSchema,
  }),
])
export type HostState = z.infer<typeof hostStateSchema>

/** A host as the desk shows it. */
export const hostViewSchema = z.object({
  name: hostName,
  isLocal: z.boolean(),
  address: z.string().max(4_096),
  state: hostStateSchema,
  /** What the machine calls itself; known after the first connection. */
  machine: z.string().max(255).optional(),
  version: z.string().max(64).optional(),
  /** What this desk may do there; `reviewer` cannot answer what is meant for the person. */
  role: roleSchema.optional(),
  openTasks: z.number().int().min(0),
  needsYou: z.number().int().min(0),
})
export type HostView = z.infer<typeof hostViewSchema>

/** Something about this computer that keeps the desk from doing all that it should, until somebody repairs it. */
export const deskProblemSchema = z.object({
  /** The list of hosts cannot be read; or answers are sent, but not kept over a restart. */
  kind: z.enum(['hosts_unreadable', 'answers_not_kept']),
  /** The file. */
  path: z.string().max(4_096),
  /** Why, as the one who met it says it. */
  why: z.string().max(500),
})
export type DeskProblem = z.infer<typeof deskProblemSchema>

/** One section of the inbox. */
export const inboxSectionSchema = z.enum(inboxSections)
export type InboxSection = z.infer<typeof inboxSectionSchema>

/** Where an answer of the person stands that has not yet reached its host. */
export const outboxStateSchema = z.enum(['queued', 'sending', 'failed'])

/** What there is to review: how much has changed, and how the last command run there ended. */
const result = { changes: changesSchema.optional(), lastRun: lastRunSchema.optional() }

/** One line of the inbox. `key` is stable and unique over all hosts. */
export const inboxRowSchema = z.object({
  key: z.string().max(400),
  section: inboxSectionSchema,
  host: hostName,
  taskId: z.string().max(64),
  taskTitle: z.string().max(200),
  /** Absent where it is about the task itself: its executor is offline or silent, or it has failed. */
  ticketId: z.string().max(256).optional(),
  kind: z.enum([
    'command',
    'edit',
    'fetch',
    'outside',
    'other',
    'question',
    'review',
    'stalled',
    'offline',
    'failed',
  ]),
  /** First line of what is asked, cut to a length that fits a row. */
  title: z.string().max(500),
  /** Why it is dangerous: a code of shared/domain/risk/reasons.ts. */
  riskReason: z.string().max(64).optional(),
  /** Labels of the options of a question, for quick answers; at most three. */
  options: z.array(z.string().max(500)).max(3),
  topic: z.enum(['technical', 'product']).optional(),
  audience: audienceSchema.optional(),
  escalated: z.boolean(),
  subagent: z.string().max(200).optional(),
  executor: z.string().max(64),
  repoName: z.string().max(200),
  at: z.number().int(),
  ...result,
  /** Present when the person's answer is still on its way. */
  outbox: outboxStateSchema.optional(),
})
export type InboxRow = z.infer<typeof inboxRowSchema>

/** One line of the list of tasks. */
export const taskRowSchema = z.object({
  key: z.string().max(400),
  host: hostName,
  taskId: z.string().max(64),
  title: z.string().max(200),
  state: taskStateSchema,
  executor: z.string().max(64),
  repoName: z.string().max(200),
  branch: z.string().max(200),
  round: z.number().int(),
  openTickets: z.number().int(),
  stalledSince: z.number().int().optional(),
  offlineSince: z.number().int().optional(),
  createdAt: z.number().int(),
  updatedAt: z.number().int(),
  ...result,
})
export type TaskRow = z.infer<typeof taskRowSchema>

/** How many things stand where, over all hosts. */
export const countsSchema = z.object({
  needsYou: z.number().int(),
  reviewer: z.number().int(),
  toReview: z.number().int(),
  offline: z.number().int(),
  running: z.number().int(),
  /** Answers of the person that have not reached their host. */
  outbox: z.number().int(),
})
export type Counts = z.infer<typeof countsSchema>

/** Where the window should go: a path of the renderer's route table (`/inbox`, `/tasks/local/<id>/changes`, `/settings/rules`). */
export const routeSchema = z
  .string()
  .max(500)
  .regex(/^\/[A-Za-z0-9/._:%~-]*$/)
