import type { ServerResponse } from 'node:http'
import { AppError } from '../../shared/errors.ts'
import { readContainedFile } from '../../shared/node/contained-file.ts'
import { CONTENT_SECURITY_POLICY, contentTypeOf } from '../services/desk/page-policy.ts'

const MAX_FILE_BYTES = 32 * 1024 * 1024

/** What every answer carries. */
export const STRICT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
}

/** Serves the window's files: `/` and what lies below it under plain names, nothing else. */
export function createStaticFiles(folder: string) {
  return {
    /** Answers a GET or HEAD of a path (the part of the address before `?`). */
    async serve(
      response: ServerResponse,
      { method, path: asked }: { method: string; path: string },
    ): Promise<void> {
      const name = asked === '/' ? 'index.html' : asked.slice(1)
      const type = contentTypeOf(name)
      // Names that vite makes; everything else, encoded or not, does not exist.
      if (!/^[A-Za-z0-9_-][A-Za-z0-9_./-]{0,200}$/.test(name) || type === undefined) return notFound(response)
      const file = await readContainedFile({ root: folder, path: name, maxBytes: MAX_FILE_BYTES }).catch(
        (error: unknown) => {
          if (error instanceof AppError) return undefined
          throw error
        },
      )
      if (file === undefined) return name === 'index.html' ? notBuilt(response) : notFound(response)
      response.writeHead(200, {
        ...STRICT_HEADERS,
        'Content-Type': type,
        'Content-Length': file.sizeBytes,
        'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
      })
      response.end(method === 'HEAD' ? undefined : file.bytes)
    },
  }
}

/** Answers with a sentence. */
export function plain(
  response: ServerResponse,
  { status, text, headers = {} }: { status: number; text: string; headers?: Record<string, string> },
): void {
  response.writeHead(status, {
    ...STRICT_HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(`${text}\n`)
}

function notFound(response: ServerResponse): void {
  plain(response, { status: 404, text: 'Not found.' })
}

function notBuilt(response: ServerResponse): void {
  plain(response, {
    status: 503,
    text: 'The window was not built. Run `npm run build` in the folder of Handoff, then load this page again.',
  })
}
