import { z } from 'zod'
import { AppError } from '../../../shared/errors.ts'
import type { ExecutorTask } from '../adapter.ts'
import type { OpencodeHttpError } from './api.ts'
import { oneLine } from './translate.ts'

const TAIL_CHARS = 4_096
const SAID_LINES = 12

/** Why opencode could not be brought up for a task, with what it said last. */
export function startFailure(task: ExecutorTask, message: string, logTail: string): AppError {
  const said = lastWords(logTail)
  return new AppError({
    code: 'executor_failed',
    message: said === '' ? message : `${message} It said: ${said.slice(0, 1_000)}`,
    hint: `Run \`opencode serve\` in ${task.worktree} by hand to see why.`,
    details: { logTail: logTail.slice(-TAIL_CHARS) },
  })
}

/** What a running server refused while a task was being brought up, in words a person can act on. */
export function refusedStart(task: ExecutorTask, error: OpencodeHttpError, logTail: string): AppError {
  const config = configError(error.body)
  if (config === undefined) return startFailure(task, error.message, logTail)
  return new AppError(
    {
      code: 'executor_failed',
      message: `opencode cannot use its configuration ${config.path}: ${config.why}`,
      hint: 'Correct that file (in the repository: and commit it), then dispatch the task again.',
      details: { logTail: logTail.slice(-TAIL_CHARS) },
    },
    { cause: error },
  )
}

/** From the error's first line on, which names the file or the reason; what follows may be long. */
function lastWords(logTail: string): string {
  const lines = logTail.trim().split('\n')
  const first = lines.findLastIndex((line) => /Error:/.test(line))
  return (first < 0 ? lines.slice(-5) : lines.slice(first, first + SAID_LINES)).join('\n')
}

/** opencode's ConfigJsonError and ConfigInvalidError, which it answers to every call about the directory. */
const configErrorSchema = z.object({
  name: z.string().regex(/^Config/),
  data: z.object({
    path: z.string().max(4_096),
    message: z.string().optional(),
    issues: z
      .array(z.object({ path: z.array(z.union([z.string(), z.number()])).catch([]), message: z.string() }))
      .optional(),
  }),
})

function configError(body: string): { path: string; why: string } | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  const parsed = configErrorSchema.safeParse(value)
  if (!parsed.success) return undefined
  const { path, message, issues = [] } = parsed.data.data
  const told = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  return { path, why: oneLine([message ?? '', ...told].join(' '), 1_000) || parsed.data.name }
}
