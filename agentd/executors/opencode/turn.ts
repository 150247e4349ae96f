import type { ExecutorFact } from '../adapter.ts'
import { oneLine } from './translate.ts'
import type { ErrorInfo, Message } from './wire.ts'

/** The facts that end a turn. */
export type TurnFact = Extract<ExecutorFact, { type: 'turn_ended' | 'turn_failed' }>

/** What the messages of an idle session say: a turn is over, nothing has been asked yet, or the end is still being written. */
export type TurnReading =
  | { kind: 'over'; fact: TurnFact; messageId: string }
  | { kind: 'nothing' }
  /** `known`: that it is over; otherwise a busy machine may only be slow to take the prompt up. */
  | { kind: 'unfinished'; fact: TurnFact; known: boolean }

/** What is known when a session has become idle. */
export interface TurnNeeds {
  /** The newest messages of the task's session, oldest first. */
  messages: readonly Message[]
  /** A denial asked for the end of the turn, so that its abort is no failure. */
  stopping: boolean
  /** Why the adapter itself aborted the turn. */
  abortCause: string | undefined
  /** The newest `session.error`, for a turn that failed before it had a message. */
  error: ErrorInfo | undefined
}

/** Reads how the last turn of an idle session ended. */
export function readTurn({ messages, stopping, abortCause, error }: TurnNeeds): TurnReading {
  const ordered = messages.filter(({ info }) => info.summary !== true)
  const last = ordered.at(-1)
  if (last === undefined) return { kind: 'nothing' }
  const { info } = last
  const key = `turn:${info.id}`
  if (info.role === 'user') {
    const message = error === undefined ? 'opencode did not take up the prompt.' : errorText(error)
    return { kind: 'unfinished', known: error !== undefined, fact: { type: 'turn_failed', key, message } }
  }
  if (info.error !== undefined && info.error.name !== 'MessageAbortedError')
    return {
      kind: 'over',
      messageId: info.id,
      fact: { type: 'turn_failed', key, message: errorText(info.error) },
    }
  if (!info.time.completed) {
    const message = 'opencode was ended in the middle of the turn. The conversation can be continued.'
    return { kind: 'unfinished', known: true, fact: { type: 'turn_failed', key, message } }
  }
  const ended: TurnFact = { type: 'turn_ended', key, text: textOf(last) }
  const over = (fact: TurnFact): TurnReading => ({ kind: 'over', messageId: info.id, fact })
  if (info.error === undefined && info.finish !== undefined) return over(ended)
  if (abortCause !== undefined) return over({ type: 'turn_failed', key, message: abortCause })
  if (stopping) return over(ended)
  return over({
    type: 'turn_failed',
    key,
    message: 'The turn was stopped before its end. The conversation can be continued.',
  })
}

function textOf({ parts }: Message): string {
  const texts = parts.flatMap((part) =>
    part.type === 'text' && part.synthetic !== true && part.ignored !== true ? [part.text] : [],
  )
  return texts.join('\n\n').trim()
}

function errorText({ name, data }: ErrorInfo): string {
  const message = data.message === undefined ? '' : `: ${oneLine(data.message, 2_000)}`
  const known: Record<string, string> = {
    APIError: 'The model answered with an error',
    ProviderAuthError: 'The model provider refused the credentials',
    ContextOverflowError: 'The conversation no longer fits the model',
    MessageOutputLengthError: 'The answer was longer than the model may give',
    ContentFilterError: 'The model provider filtered the answer',
    MessageAbortedError: 'The turn was stopped before its end',
  }
  return `${known[name] ?? `opencode failed (${name})`}${message}`
}
