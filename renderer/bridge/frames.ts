import type { IpcAnswer } from '../../shared/ipc.ts'
import { parseJson } from '../../shared/json.ts'

/** What the services of the browser shell send to a page. */
export type Frame = { id: number; answer: IpcAnswer } | { event: string; payload: unknown }

/**
 * Reads a frame; undefined when it has another shape. Checked by hand, since schemas would be a fifth of all script of the start:
 * the sender is this page's own origin, and has checked every answer against the contract.
 */
export function readFrame(text: string): Frame | undefined {
  const frame = parseJson(text)
  if (!isRecord(frame)) return undefined
  const { id, answer, event, payload } = frame
  if (typeof event === 'string') return { event, payload }
  return typeof id === 'number' && isAnswer(answer) ? { id, answer } : undefined
}

/** The key in the answer to a sign-in; undefined when there is none. */
export function readKey(answer: unknown): string | undefined {
  const key = isRecord(answer) ? answer['key'] : undefined
  return typeof key === 'string' && key.length <= 200 ? key : undefined
}

function isAnswer(answer: unknown): answer is IpcAnswer {
  if (!isRecord(answer)) return false
  if (answer['ok'] === true) return true
  const { ok, error } = answer
  return (
    ok === false &&
    isRecord(error) &&
    typeof error['code'] === 'string' &&
    typeof error['message'] === 'string'
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
