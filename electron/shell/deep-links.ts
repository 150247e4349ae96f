import { z } from 'zod'
import { hostName } from '../../shared/domain/host-name.ts'
import { taskId } from '../../shared/ipc/call-spec.ts'
import { routeTo, taskRoute } from '../../shared/ipc/routes.ts'

/** The scheme of links that other programs may give us. */
export const LINK_SCHEME = 'handoff'

const MAX_LINK_CHARS = 2_048
const ticketId = z
  .string()
  .min(38)
  .max(240)
  .regex(/^[A-Za-z0-9._:~-]+$/)

/** Where a link leads; `refused` for everything that is not exactly one of the known forms. */
export type DeepLink = { kind: 'open'; route: string } | { kind: 'refused' }

/**
 * Reads a link: `handoff://task/<host>/<task id>`, `handoff://ticket/<host>/<ticket id>`, `handoff://configure-store?…`.
 * A link only ever opens a screen: anybody can write one, so none of them changes, sends or approves anything. The page that
 * configures a store does not exist yet; its link opens the advanced settings, and what it carries is dropped.
 */
export function readDeepLink(text: string): DeepLink {
  const url = text.length <= MAX_LINK_CHARS ? URL.parse(text) : null
  if (url === null || url.protocol !== `${LINK_SCHEME}:`) return { kind: 'refused' }
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    return { kind: 'refused' }
  const parts = decodeParts(url.pathname)
  if (parts === undefined) return { kind: 'refused' }
  return target(url.hostname, parts, url.search) ?? { kind: 'refused' }
}

function target(what: string, parts: string[], search: string): DeepLink | undefined {
  if (what === 'configure-store')
    return parts.length === 0 ? { kind: 'open', route: '/settings/advanced' } : undefined
  const [host = '', id = ''] = parts
  if (parts.length !== 2 || search !== '' || !hostName.safeParse(host).success) return undefined
  if (what === 'task' && taskId.safeParse(id).success) return { kind: 'open', route: taskRoute(host, id) }
  if (what === 'ticket' && ticketId.safeParse(id).success)
    return { kind: 'open', route: routeTo('inbox', host, id) }
  return undefined
}

function decodeParts(pathname: string): string[] | undefined {
  try {
    return pathname.split('/').slice(1).filter(Boolean).map(decodeURIComponent)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The link among the arguments that another start of the app was given. */
export function linkAmong(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`))
}
