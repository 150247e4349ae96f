import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Asked, ScriptedStep } from './script.ts'

/** How one API of model providers asks and is answered. */
export interface ModelFormat {
  /** End of the request's path. */
  path: string
  read(body: Record<string, unknown>): Asked
  /** Writes the whole reply; a step that hangs is left open. */
  send(response: ServerResponse, body: Record<string, unknown>, step: ScriptedStep): void
}

/** A list of objects, whatever was sent. */
export function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

/** Text of a message's content, which is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n')
}

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 20)}`
}

/** The text in pieces, as a model streams it; a very long one in longer pieces, so that it ends. */
export function pieces(text: string): string[] {
  const size = Math.max(24, Math.ceil(text.length / 1_000))
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

export function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
}
