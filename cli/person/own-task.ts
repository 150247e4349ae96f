import { shortId, TASK_MARK } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { taskAncestor } from './agent-marks.ts'

/**
 * Keeps an executor from deciding about its own task: a process that carries the task's mark, or comes from one that does,
 * is refused with `forbidden`. Like all marks it stops mistakes and eager agents, not a program that hides where it is from.
 */
export function refuseOwnTask(env: Readonly<Record<string, string | undefined>>, taskId: string): void {
  const own = env[TASK_MARK] === taskId || taskAncestor(process.pid)?.taskId === taskId
  if (!own) return
  throw new AppError({
    code: 'forbidden',
    message: `This command comes from the executor of ${shortId(taskId)} itself; it cannot decide about its own task.`,
    hint: 'Ask in the conversation instead: the reviewer or the person decides.',
  })
}
