import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sendJson, type ModelFormat } from './format.ts'
import { openaiChat } from './openai-chat.ts'
import { chooseStep, type Asked, type ModelScript, type ScriptedStep } from './script.ts'

const MAX_BODY_BYTES = 32 * 1024 * 1024
const FORMATS: readonly ModelFormat[] = [openaiChat]
const HELPER_STEP: ScriptedStep = { text: 'Scripted title' }

/** One request that a scripted model has got. `step` is what it answers. */
export interface ModelRequest extends Asked {
  path: string
  /** Names of the offered tools. */
  tools: string[]
  body: Record<string, unknown>
  step: ScriptedStep
}

/** A running model and what it was asked. */
export interface ScriptedModel {
  /** Base URL for an OpenAI-compatible provider. */
  url: string
  /** Everything asked so far, oldest first, helper calls (titles, summaries) included. */
  requests: readonly ModelRequest[]
  /** The first request that fits, past or future. Rejects when the time is over. */
  waitForRequest(fits: (request: ModelRequest) => boolean, timeoutMs: number): Promise<ModelRequest>
  dispose(): Promise<void>
}

/**
 * A language model that follows a script, served on loopback in the formats of real providers: real agents can be run
 * without a network, an account or chance. Calls without tools get a fixed answer.
 */
export async function startScriptedModel({
  script,
  port = 0,
}: {
  script: ModelScript
  port?: number
}): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const watchers = new Set<(request: ModelRequest) => void>()
  const failed = new Map<string, number>()
  const ended = new AbortController()

  /** A step that fails a few times is answered properly after that. */
  function settle(step: ScriptedStep, asked: Asked): ScriptedStep {
    if (step.status === undefined || step.failures === undefined) return step
    const key = `${asked.replies} ${asked.prompt}`
    const count = failed.get(key) ?? 0
    failed.set(key, count + 1)
    if (count < step.failures) return step
    const { status: _status, error: _error, ...proper } = step
    return proper
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (request.method === 'GET' && path.endsWith('/models'))
      return sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] })
    const format = FORMATS.find((known) => path.endsWith(known.path))
    if (request.method !== 'POST' || format === undefined)
      return sendJson(response, 404, { error: { message: 'not found', type: 'not_found_error' } })
    const body = await readBody(request)
    if (body === undefined)
      return sendJson(response, 400, { error: { message: 'not readable', type: 'bad_request' } })
    const asked = format.read(body)
    const step = asked.helper ? HELPER_STEP : settle(chooseStep(script, asked), asked)
    const logged = { ...asked, path, tools: toolNames(body), body, step }
    requests.push(logged)
    for (const watch of [...watchers]) watch(logged)
    if (step.delayMs !== undefined) await delay(step.delayMs, undefined, { signal: ended.signal })
    if (step.status !== undefined) return sendFailure(response, step)
    format.send(response, body, step)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    waitForRequest: (fits, timeoutMs) => waitForRequest({ requests, watchers, fits, timeoutMs }),
    async dispose() {
      ended.abort()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function waitForRequest({
  requests,
  watchers,
  fits,
  timeoutMs,
}: {
  requests: readonly ModelRequest[]
  watchers: Set<(request: ModelRequest) => void>
  fits: (request: ModelRequest) => boolean
  timeoutMs: number
}): Promise<ModelRequest> {
  const known = requests.find(fits)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      watchers.delete(watch)
    }
    const watch = (request: ModelRequest) => {
      if (!fits(request)) return
      end()
      resolve(request)
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error(`The scripted model was not asked in ${timeoutMs} ms.`))
    }, timeoutMs)
    watchers.add(watch)
  })
}

function sendFailure(
  response: ServerResponse,
  { status = 500, error, retryAfterSeconds }: ScriptedStep,
): void {
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds))
  sendJson(response, status, {
    type: 'error',
    error: { type: 'api_error', message: error ?? 'scripted failure' },
  })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** OpenAI's chat names a tool below `function`, the other formats at the top. */
function toolNames(body: Record<string, unknown>): string[] {
  const tools = Array.isArray(body['tools']) ? body['tools'] : []
  return tools.map((tool: { name?: unknown; function?: { name?: unknown } }) =>
    String(tool.function?.name ?? tool.name),
  )
}
