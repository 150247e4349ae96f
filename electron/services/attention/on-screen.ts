import { routeParts, taskRoute } from '../../../shared/ipc/routes.ts'

/** Parts of a task's route that name the task; what follows is a tab, and all of them show what the task waits for. */
const TASK_PARTS = 3

/** Whether a route, or a place inside it, is on a screen that has the keyboard. */
export function isOnScreen(route: string, visible: readonly string[]): boolean {
  if (visible.length === 0) return false
  const all = routeParts(route)
  const wanted = all[0] === 'tasks' ? all.slice(0, TASK_PARTS) : all
  return visible.some((shown) => {
    const there = routeParts(shown)
    return wanted.every((part, index) => part === there[index])
  })
}

/** Whether something is on the screen: its own place or its task. A list that holds it among others does not count. */
export function isSeen(
  { route, host, taskId }: { route: () => string; host: string; taskId?: string | undefined },
  visible: readonly string[],
): boolean {
  if (visible.length === 0) return false
  if (isOnScreen(route(), visible)) return true
  return taskId !== undefined && isOnScreen(taskRoute(host, taskId), visible)
}
