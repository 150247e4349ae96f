import { createHash } from 'node:crypto'
import type { ExecutorFact } from '../executors/adapter.ts'

type PermissionFact = Extract<ExecutorFact, { type: 'permission' }>
type ProgressFact = Extract<ExecutorFact, { type: 'progress' }>
type QuestionFact = Extract<ExecutorFact, { type: 'question' }>

/** What fits into a ticket id as it is, and is not of the engine's own making (`ask-…`, `review-…`). */
const PLAIN_ID = /^(?!~|ask-|review-)[\x21-\x7e]{1,200}$/
const LONGEST_ENCODED = 199

/** The ticket of an executor's request. Any id of the executor gives a valid one, and two never the same. */
export function ticketIdOf(taskId: string, requestId: string): string {
  if (PLAIN_ID.test(requestId)) return `${taskId}:${requestId}`
  const encoded = Buffer.from(requestId).toString('base64url')
  // Such a long one cannot be read back: its answer will find nobody, and the ticket expires visibly.
  const name =
    encoded.length <= LONGEST_ENCODED ? encoded : createHash('sha256').update(requestId).digest('hex')
  return `${taskId}:~${name}`
}

/** The executor's own id behind the second half of a ticket id. */
export function ownRequestId(ticketPart: string): string {
  return ticketPart.startsWith('~') ? Buffer.from(ticketPart.slice(1), 'base64url').toString() : ticketPart
}

/**
 * A fact within the bounds of shared/domain: what executors say comes from outside, and one event or ticket that is too
 * large for its schema would make every answer that contains it fail for every client.
 */
export function withinBounds(fact: ExecutorFact): ExecutorFact {
  switch (fact.type) {
    case 'permission':
      return { ...fact, ask: permissionWithin(fact.ask) }
    case 'question':
      return { ...fact, ask: questionWithin(fact.ask) }
    case 'request_gone':
      return { ...fact, reason: fact.reason.slice(0, 2_000) }
    case 'turn_ended':
      return { ...fact, text: fact.text.slice(-1_000_000) }
    case 'turn_failed':
      return { ...fact, message: fact.message.slice(0, 20_000) }
    case 'progress':
      return progressWithin(fact)
    case 'offline':
      return { ...fact, message: fact.message.slice(0, 2_000) }
    case 'online':
      return fact
    case 'lost':
      return { ...fact, message: fact.message.slice(0, 20_000), logTail: fact.logTail.slice(-20_000) }
  }
}

function progressWithin(fact: ProgressFact): ProgressFact {
  const { failed, ...rest } = fact
  const text = fact.text.slice(0, 8_000)
  if (failed === undefined) return { ...rest, text }
  const { exitCode } = failed
  const isCode = exitCode !== undefined && Number.isInteger(exitCode) && Math.abs(exitCode) <= 2 ** 31
  return { ...rest, text, failed: isCode ? { exitCode } : {} }
}

function permissionWithin({
  description,
  diff,
  subagent,
  ...ask
}: PermissionFact['ask']): PermissionFact['ask'] {
  const bounded = {
    ...(description === undefined ? {} : { description: description.slice(0, 2_000) }),
    ...(diff === undefined ? {} : { diff: diff.slice(0, 400_000) }),
    ...(subagent === undefined ? {} : { subagent: subagent.slice(0, 200) }),
  }
  if (ask.text.length <= 100_000) return { ...ask, ...bounded }
  // Nobody can judge what cannot be shown whole, so it is no command or path that could be read as routine any more.
  const tooLong = `Only the first 100,000 of ${ask.text.length} characters are shown.`
  return { ...ask, action: 'other', text: ask.text.slice(0, 100_000), ...bounded, description: tooLong }
}

function questionWithin({ subagent, ...ask }: QuestionFact['ask']): QuestionFact['ask'] {
  return {
    ...ask,
    text: ask.text.slice(0, 100_000),
    options: ask.options.slice(0, 50).map(({ label, description }) => ({
      label: label.slice(0, 500) || '–',
      ...(description === undefined ? {} : { description: description.slice(0, 2_000) }),
    })),
    ...(subagent === undefined ? {} : { subagent: subagent.slice(0, 200) }),
  }
}
