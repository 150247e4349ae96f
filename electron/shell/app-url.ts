import { routeSchema } from '../../shared/ipc/views.ts'

/** The scheme that the window's pages are served under; nothing else is ever loaded. */
export const APP_SCHEME = 'handoff-app'
/** The one host of the scheme. */
export const APP_HOST = 'desk'

/** The address of the page, at a route of the renderer (`/inbox`, `/tray`) or where it begins by itself. */
export function pageUrl(route?: string): string {
  return `${APP_SCHEME}://${APP_HOST}/${route === undefined ? '' : `#${route}`}`
}

/** The route that an address of the desk's own pages names; undefined for other addresses and for ones without a route. */
export function routeOfUrl(text: string): string | undefined {
  if (!isAppUrl(text)) return undefined
  const route = routeSchema.safeParse(URL.parse(text)?.hash.slice(1))
  return route.success ? route.data : undefined
}

/** Whether an address belongs to the desk's own pages. Node knows no origin for such schemes, so the parts are compared. */
export function isAppUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    url.protocol === `${APP_SCHEME}:` &&
    url.host === APP_HOST &&
    url.username === '' &&
    url.password === ''
  )
}
