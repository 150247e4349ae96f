import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** Answers requests of a custom scheme. */
export type SchemeHandler = (request: Request) => Response | Promise<Response>

/**
 * Custom schemes for a browser that knows none: `app://desk/x` is loaded as `http://desk.app.localhost:<port>/x`, an origin
 * of its own that counts as secure, and its requests are answered by the scheme's handler.
 */
export function createSchemes() {
  const handlers = new Map<string, SchemeHandler>()
  const server = http.createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  server.unref()
  // Known a moment later, and long before the first page is there.
  const port = (): number => (server.address() as AddressInfo | null)?.port ?? 0

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const [, host, scheme] = /^(.+)\.([^.]+)\.localhost:\d+$/.exec(request.headers.host ?? '') ?? []
    const handler = handlers.get(scheme ?? '')
    if (handler === undefined) {
      response.writeHead(404).end()
      return
    }
    const answered = await handler(
      new Request(`${scheme}://${host}${request.url}`, { method: request.method ?? 'GET' }),
    )
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (answered.body === null) response.end()
    else Readable.fromWeb(answered.body as ReadableStream).pipe(response)
  }

  return {
    handle: (scheme: string, handler: SchemeHandler) => void handlers.set(scheme, handler),
    /** The address that Chromium loads for one of ours; others stay what they are. */
    outward(url: string): string {
      const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
      return handlers.has(scheme) ? `http://${host}.${scheme}.localhost:${port()}${rest}` : url
    },
    /** The address that the app knows for one that Chromium shows. */
    inward(url: string): string {
      const [, host, scheme, at, rest] = /^http:\/\/([^/]+)\.([^./]+)\.localhost:(\d+)(.*)$/.exec(url) ?? []
      return scheme !== undefined && Number(at) === port() ? `${scheme}://${host}${rest}` : url
    },
  }
}

/** Custom schemes of this app. */
export type Schemes = ReturnType<typeof createSchemes>
