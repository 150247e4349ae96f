import { z } from 'zod'
import { call, id, requestId, taskRef } from './call-spec.ts'

/** What there is to see of a task in tmux: the agent, what belongs to it (`log`), what people made (`other`), people's shells. */
export const taskWindowSchema = z.object({
  /** Names it among those of the task. */
  key: id,
  kind: z.enum(['agent', 'log', 'other', 'shell']),
  /** As tmux has it; of a shell its number. */
  name: z.string().max(200),
  /** Its program has ended. */
  ended: z.boolean(),
  /** How tmux reaches it: `server` as for `tmux -L`, the default one without it; `window` as `@3`, the current one without it. */
  target: z.object({
    server: z.string().max(64).optional(),
    session: z.string().max(200),
    window: z
      .string()
      .regex(/^@\d{1,10}$/)
      .optional(),
  }),
})
export type TaskWindow = z.infer<typeof taskWindowSchema>

/** Calls about the windows of a task in tmux. Older hosts know none of them. */
export const windowCalls = {
  /** In their order, shells last. Empty where nothing runs, and where tmux is too old to look at one of several. */
  'task.windows': call(
    'observer',
    z.object({ task: taskRef }),
    z.object({ windows: z.array(taskWindowSchema).max(100) }),
  ),
  /** Opens a shell in the task's worktree, which lives until it is left, closed, or the task is over. */
  'task.openShell': call(
    'reviewer',
    z.object({ requestId, task: taskRef }),
    z.object({ window: taskWindowSchema }),
  ),
  /** Closes a shell. Without `force` not one in which a program runs. */
  'task.closeShell': call(
    'reviewer',
    z.object({ task: taskRef, key: id, force: z.boolean().default(false) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('closed') }),
      z.object({ kind: z.literal('busy'), program: z.string().max(200) }),
    ]),
  ),
} as const
