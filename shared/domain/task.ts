import { z } from 'zod'
import { actorSchema } from './actor.ts'

/** Where a task stands; the last three are over for good. */
export const taskStateSchema = z.enum([
  'pending',
  'submitted',
  'running',
  'waiting_answer',
  'waiting_review',
  'completed',
  'failed',
  'cancelled',
])
export type TaskState = z.infer<typeof taskStateSchema>

const overStates: ReadonlySet<TaskState> = new Set(['completed', 'failed', 'cancelled'])

/** A task that is over never changes state again. */
export function isOver(state: TaskState): boolean {
  return overStates.has(state)
}

/** A full commit id, SHA-1 or SHA-256. */
export const shaSchema = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
/** The name of a branch, without `refs/heads/`. */
export const branchSchema = z
  .string()
  .min(1)
  .max(200)
  // Refuses what git would read as an option or as a revision expression; git itself checks the rest.
  .regex(/^(?!-)[^\s~^:?*[\\\x00-\x1f\x7f]+$/)

/** Where a task's code lives on its host. `path` is the repository, `key` names a clone that came over the wire. */
export const taskRepoSchema = z.object({
  kind: z.enum(['path', 'clone']),
  path: z.string().max(4_096),
  key: z.string().max(128).optional(),
  name: z.string().max(200),
})

/** Where a task was dispatched from, so that results can be brought back there. */
export const originSchema = z.object({
  clientId: z.string().max(64),
  machine: z.string().max(255),
  repoPath: z.string().max(4_096),
})

/** How much a task has changed since its base, as `git diff --shortstat` counts it. */
export const changesSchema = z.object({
  files: z.number().int().min(0),
  added: z.number().int().min(0),
  removed: z.number().int().min(0),
})
export type Changes = z.infer<typeof changesSchema>

/** The command that was last run in the worktree since the agent has worked there, and whether it ended with 0 in time. */
export const lastRunSchema = z.object({ command: z.string().max(200), ok: z.boolean(), at: z.number().int() })

/** A task as clients see it. Times are ms since the epoch. */
export const taskSchema = z.object({
  id: z.uuid(),
  title: z.string().min(1).max(200),
  state: taskStateSchema,
  executor: z.string().max(64),
  repo: taskRepoSchema,
  origin: originSchema.optional(),
  worktree: z.string().max(4_096),
  inPlace: z.boolean(),
  branch: branchSchema,
  base: shaSchema,
  /** The commit on which the last finished round ended. */
  head: shaSchema.optional(),
  /** Up to `head`. Absent from hosts that do not count, and before the first round has ended. */
  changes: changesSchema.optional(),
  lastRun: lastRunSchema.optional(),
  round: z.number().int().min(1),
  summary: z.string().max(20_000).optional(),
  /** The executor's own id of the conversation. */
  session: z.string().max(200).optional(),
  /** Attention marks (ms since the epoch when they began); a mark is not a state. */
  stalledSince: z.number().int().optional(),
  offlineSince: z.number().int().optional(),
  dispatchedBy: actorSchema,
  createdAt: z.number().int(),
  updatedAt: z.number().int(),
  endedAt: z.number().int().optional(),
  endReason: z.string().max(2_000).optional(),
  openTickets: z.number().int().min(0),
  lastSeq: z.number().int().min(0),
})
export type Task = z.infer<typeof taskSchema>

/** Name of the environment variable that marks every process of a task; its value is the task's id. */
export const TASK_MARK = 'HANDOFF_TASK'

/** The short form people see: `handoff-<id8>`, `handoff/<id8>-slug`. */
export function shortId(taskId: string): string {
  return taskId.slice(0, 8)
}
