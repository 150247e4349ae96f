/** Everything that waits. */
export const INBOX_ROUTE = '/inbox'
/** All hosts and how they are doing. */
export const HOSTS_ROUTE = '/hosts'

const MAX_ROUTE = 500

/** One part of a route, encoded with nothing but characters that `routeSchema` takes. */
function part(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** A route from its parts, encoded so that any name or id fits. */
export function routeTo(...parts: string[]): string {
  return `/${parts.map(part).join('/')}`
}

/** The parts of a route, decoded: `/tasks/local/4f…` gives `['tasks', 'local', '4f…']`. */
export function routeParts(route: string): string[] {
  return route.split('/').filter(Boolean).map(decode)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A hand-typed % that encodes nothing: taken as it is.
    return part
  }
}

/** Where one task is seen. */
export function taskRoute(host: string, taskId: string): string {
  return routeTo('tasks', host, taskId)
}

/** Where one ticket is decided; its task when the executor's id is too long for a route. */
export function ticketRoute(host: string, ticket: { id: string; taskId: string }): string {
  const route = routeTo('inbox', host, ticket.id)
  return route.length > MAX_ROUTE ? taskRoute(host, ticket.taskId) : route
}

/** Where the changes of a task are judged. */
export function reviewRoute(host: string, taskId: string): string {
  return `${taskRoute(host, taskId)}/changes`
}
