/** The task that a route shows, or undefined: `/tasks/<host>/<taskId>…` (shared/ipc/routes.ts). */
export function taskOfRoute(route: string): { host: string; taskId: string } | undefined {
  const [, host, taskId] = /^\/tasks\/([^/]+)\/([0-9a-f-]{36})(?:\/|$)/.exec(route) ?? []
  if (host === undefined || taskId === undefined) return undefined
  try {
    return { host: decodeURIComponent(host), taskId }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
