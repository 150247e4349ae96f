import { protocol, type Session } from 'electron'
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { CONTENT_SECURITY_POLICY, contentTypeOf } from '../services/desk/page-policy.ts'
import { APP_HOST, APP_SCHEME } from './app-url.ts'

/** Makes the scheme one with an origin of its own. Must be called before the app is ready, once. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** Serves the folder of the built window as `handoff-app://desk/…` in a session. */
export function serveRenderer(session: Session, folder: string): void {
  session.protocol.handle(APP_SCHEME, (request) => answer(request, folder))
}

/** The answer to one request of a page; only GET and HEAD, only files inside the folder. */
export async function answer(request: Request, folder: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405)
  const url = URL.parse(request.url)
  if (url === null || url.protocol !== `${APP_SCHEME}:` || url.hostname !== APP_HOST) return refusal(404)
  const file = await containedFile(folder, url.pathname)
  if (file === undefined) return refusal(404)
  // Gone since it was looked for, or not readable: for a page it is not there.
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined) return refusal(404)
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
    status: 200,
    headers: headersFor(contentTypeOf(file) ?? 'application/octet-stream'),
  })
}

/** The real path of a file of the folder; undefined when it is not there or, by links or dots, lies elsewhere. */
async function containedFile(folder: string, pathname: string): Promise<string | undefined> {
  const wanted = decoded(pathname)
  if (wanted === undefined || wanted.includes('\0') || wanted.includes('\\')) return undefined
  // realpath fails for what does not exist.
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined) return undefined
  const file = await realpath(path.join(root, wanted === '/' ? '/index.html' : wanted)).catch(() => undefined)
  return file?.startsWith(root + path.sep) ? file : undefined
}

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function headersFor(type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Files carry a hash in their name, but index.html does not, and reading from the disk is cheap.
    'Cache-Control': 'no-cache',
  }
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } })
}
