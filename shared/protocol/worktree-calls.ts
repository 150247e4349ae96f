import { z } from 'zod'
import { branchSchema, shaSchema } from '../domain/task.ts'
import { taskRef, stream } from './call-spec.ts'

/** What is known of a task's work besides the changes themselves. An older host tells nothing of it. */
export const workFacts = {
  /** How many commits the changes are made of; what is not committed is in none of them. */
  commits: z.number().int().min(0).optional(),
  /** The remote that its branch would be pushed to; null when there is none. Told while it waits for a review. */
  pushTo: z.string().max(1_000).nullable().optional(),
  /** Whether its worktree is still there, to run something in. */
  hasWorktree: z.boolean().optional(),
}

/** Calls that read a task's worktree or run something in it. */
export const worktreeCalls = {
  'task.diff': stream(
    'bytes',
    z.object({
      task: taskRef,
      mode: z.enum(['full', 'stat', 'name-only']),
      round: z.number().int().min(1).optional(),
      against: z.number().int().min(0).optional(),
    }),
    z.object({ from: shaSchema, to: z.string().max(64), uncommitted: z.boolean(), ...workFacts }),
  ),
  'task.fetch': stream(
    'bytes',
    z.object({ task: taskRef, path: z.string().min(1).max(4_096) }),
    z.object({ sizeBytes: z.number().int() }),
  ),
  'task.bundle': stream(
    'bytes',
    z.object({ task: taskRef, haves: z.array(shaSchema).max(2_000) }),
    z.object({ branch: branchSchema, commit: shaSchema, nothingNew: z.boolean() }),
  ),
  'task.run': stream(
    'output',
    z.object({
      task: taskRef,
      argv: z.array(z.string().max(32_768)).min(1).max(1_000),
      timeoutMs: z
        .number()
        .int()
        .min(1_000)
        .max(24 * 3_600_000),
    }),
    z.object({ exitCode: z.number().int().nullable(), signal: z.string().nullable(), timedOut: z.boolean() }),
  ),
} as const
