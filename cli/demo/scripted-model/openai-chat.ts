import type { ServerResponse } from 'node:http'
import { contentText, newId, objects, pieces, sendJson, startStream, type ModelFormat } from './format.ts'
import type { Asked, ScriptedStep } from './script.ts'

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

/** `POST …/chat/completions`: opencode and most OpenAI-compatible clients. */
export const openaiChat: ModelFormat = { path: '/chat/completions', read, send }

function read(body: Record<string, unknown>): Asked {
  const messages = objects(body['messages'])
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(last + 1)
  return {
    prompt: contentText(messages[last]?.['content']),
    replies: since.filter(({ role }) => role === 'assistant').length,
    results: since.filter(({ role }) => role === 'tool').map(({ content }) => contentText(content)),
    helper: objects(body['tools']).length === 0,
  }
}

function send(response: ServerResponse, body: Record<string, unknown>, step: ScriptedStep): void {
  const base = {
    id: newId('chatcmpl'),
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1_000),
    model: body['model'],
  }
  const calls = (step.calls ?? []).map(({ name, args }, index) => ({
    index,
    id: newId('call'),
    type: 'function',
    function: { name, arguments: JSON.stringify(args ?? {}) },
  }))
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  if (body['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: step.text ?? null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
    const choices = [{ index: 0, message, finish_reason: finish }]
    return sendJson(response, 200, { ...base, object: 'chat.completion', choices, usage: USAGE })
  }
  startStream(response)
  const chunk = (delta: unknown, finishReason: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }]
    response.write(`data: ${JSON.stringify({ ...base, choices })}\n\n`)
  }
  chunk({ role: 'assistant', content: '' })
  for (const piece of pieces(step.text ?? '')) chunk({ content: piece })
  if (step.hang) return
  for (const call of calls) {
    chunk({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] })
    chunk({ tool_calls: [{ index: call.index, function: { arguments: call.function.arguments } }] })
  }
  chunk({}, finish)
  response.write(`data: ${JSON.stringify({ ...base, choices: [], usage: USAGE })}\n\n`)
  response.end('data: [DONE]\n\n')
}
