import path from 'node:path'

/**
 * What a page of the desk may load, in both shells: its own files and nothing else, no script in the page, no frames, no
 * connection to anywhere. Styles may stand in the page because xterm.js and the overlays write them at run time; images and
 * fonts come from here only, so a style that was smuggled in could send nothing away.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.map': 'application/json; charset=utf-8',
}

/** The content type of a file of the window; undefined for a kind that the window does not have. */
export function contentTypeOf(file: string): string | undefined {
  return TYPES[path.extname(file)]
}
