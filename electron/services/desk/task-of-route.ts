import { routeParts } from '../../../shared/ipc/routes.ts'

const TASK_ID = /^[0-9a-f-]{36}$/

/** The task that a route shows, or undefined: what `taskRoute` makes, or a place below it. */
export function taskOfRoute(route: string): { host: string; taskId: string } | undefined {
  const [section, host, taskId] = routeParts(route)
  if (section !== 'tasks' || host === undefined || taskId === undefined) return undefined
  return TASK_ID.test(taskId) ? { host, taskId } : undefined
}
