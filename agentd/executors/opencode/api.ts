import { type z } from 'zod'
import {
  agentListSchema,
  healthSchema,
  messageListSchema,
  messageSchema,
  permissionListSchema,
  questionListSchema,
  sessionInfoSchema,
  sessionListSchema,
  statusMapSchema,
  type PermissionRule,
} from './wire.ts'

const REQUEST_TIMEOUT_MS = 15_000
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** The server answered with an error status, or with something that is not opencode's. */
export class OpencodeHttpError extends Error {
  readonly status: number
  /** What the server answered. */
  readonly body: string

  constructor(status: number, message: string, body = '') {
    super(message)
    this.name = 'OpencodeHttpError'
    this.status = status
    this.body = body
  }
}

/** Whether the server said that it does not know what was asked for. */
export function isNotFound(error: unknown): boolean {
  return error instanceof OpencodeHttpError && error.status === 404
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  timeoutMs?: number
}

/** A prompt with ids of its own, so that sending it twice is the same as sending it once. */
export interface PromptBody {
  messageId: string
  partId: string
  text: string
}

export type OpencodeApi = ReturnType<typeof createOpencodeApi>

/**
 * The part of opencode's HTTP API that Handoff uses (the `/api/…` family is another world and is not mixed in). Every
 * request has a time limit, because the server can leave one unanswered for ever. Throws OpencodeHttpError for an
 * answer that is an error, and whatever `fetch` throws when there is no answer.
 */
export function createOpencodeApi({ port, password }: { port: number; password: string }) {
  const base = `http://127.0.0.1:${port}`
  const authorization = basicAuth(password)

  async function send({ method, path, body, timeoutMs = REQUEST_TIMEOUT_MS }: Call): Promise<string> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readBounded(response)
    if (!response.ok)
      throw new OpencodeHttpError(
        response.status,
        `opencode answered ${response.status} to ${method} ${path.split('?')[0]}: ${text.slice(0, 300)}`,
        text,
      )
    return text
  }

  async function read<S extends z.ZodType>(call: Call, schema: S): Promise<z.infer<S>> {
    const text = await send(call)
    const parsed = schema.safeParse(parseJson(text))
    if (!parsed.success)
      throw new OpencodeHttpError(502, `opencode gave an answer to ${call.path} that cannot be read.`)
    return parsed.data
  }

  const get = <S extends z.ZodType>(path: string, schema: S, timeoutMs?: number) =>
    read({ method: 'GET', path, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, schema)
  const post = async (path: string, body?: unknown): Promise<void> => {
    await send({ method: 'POST', path, ...(body === undefined ? {} : { body }) })
  }
  const session = (id: string) => `/session/${encodeURIComponent(id)}`

  return {
    eventUrl: `${base}/event`,
    authorization,
    health: (timeoutMs: number) => get('/global/health', healthSchema, timeoutMs),
    agents: () => get('/agent', agentListSchema),
    sessions: () => get('/session?roots=true&limit=200', sessionListSchema),
    session: (id: string) => get(session(id), sessionInfoSchema),
    children: (id: string) => get(`${session(id)}/children`, sessionListSchema),
    statuses: () => get('/session/status', statusMapSchema),
    messages: (id: string, limit: number) => get(`${session(id)}/message?limit=${limit}`, messageListSchema),
    message: (id: string, messageId: string) =>
      get(`${session(id)}/message/${encodeURIComponent(messageId)}`, messageSchema),
    permissions: () => get('/permission', permissionListSchema),
    questions: () => get('/question', questionListSchema),
    createSession: (body: {
      title: string
      metadata: Record<string, string>
      permission: PermissionRule[]
    }) => read({ method: 'POST', path: '/session', body }, sessionInfoSchema),
    prompt: (id: string, { messageId, partId, text }: PromptBody) =>
      post(`${session(id)}/prompt_async`, {
        messageID: messageId,
        parts: [{ id: partId, type: 'text', text }],
      }),
    abort: (id: string) => post(`${session(id)}/abort`),
    replyPermission: (id: string, body: { reply: 'once' | 'reject'; message?: string }) =>
      post(`/permission/${encodeURIComponent(id)}/reply`, body),
    answerQuestion: (id: string, answers: string[][]) =>
      post(`/question/${encodeURIComponent(id)}/reply`, { answers }),
    rejectQuestion: (id: string) => post(`/question/${encodeURIComponent(id)}/reject`),
  }
}

function basicAuth(password: string): string {
  return `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > MAX_BODY_BYTES)
      throw new OpencodeHttpError(502, 'opencode gave an answer of more than 64 MB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
