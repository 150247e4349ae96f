import type { Actor } from '../actor.ts'
import { assertNever } from '../../errors.ts'
import type { Effect } from '../fact.ts'
import type { Answer, Ask, QuestionAsk, Ticket } from '../ticket.ts'

/** Whether the ticket is a question from a trailer: its turn is over, so that the answer travels as a prompt. */
export function isTrailerQuestion(ticketId: string): boolean {
  return requestIdOf(ticketId).startsWith('ask-')
}

/** The executor's own id of a request: what stands behind the first colon of the ticket's id. */
export function requestIdOf(ticketId: string): string {
  return ticketId.slice(ticketId.indexOf(':') + 1)
}

/** Whether only the person may answer this. */
export function isForUser(ticket: Ticket): boolean {
  return ticket.audience === 'user' || belongsToUser(ticket.ask)
}

/** Whether what is asked is the person's by its nature: a dangerous action, a product choice. */
export function belongsToUser(ask: Ask): boolean {
  if (ask.kind === 'permission') return ask.risk.level === 'dangerous'
  return ask.kind === 'question' && ask.topic === 'product'
}

/** Whether a client with the rights of the person did it. */
export function isUser(actor: Actor): boolean {
  return actor.kind === 'client' && actor.role === 'user'
}

/** Why this answer does not fit what was asked; undefined when it does. */
export function misfit(ask: Ask, answer: Answer): string | undefined {
  switch (ask.kind) {
    case 'permission':
      return answer.kind === 'approve' || answer.kind === 'deny'
        ? undefined
        : 'A permission is approved or denied.'
    case 'question':
      return questionMisfit(ask, answer)
    case 'review':
      return 'A review is answered by continuing the task or by finishing it.'
    default:
      return assertNever(ask)
  }
}

function questionMisfit(ask: QuestionAsk, answer: Answer): string | undefined {
  if (answer.kind === 'text' || answer.kind === 'deny') return undefined
  if (answer.kind !== 'options') return 'A question is answered by a text or by choosing among its options.'
  const labels = new Set(ask.options.map((option) => option.label))
  const unknown = answer.labels.find((label) => !labels.has(label))
  if (unknown !== undefined) return `The question has no option "${unknown.slice(0, 100)}".`
  if (new Set(answer.labels).size !== answer.labels.length) return 'An option was chosen twice.'
  if (answer.labels.length > 1 && !ask.multiple) return 'The question takes one option only.'
  return undefined
}

/** How an accepted answer reaches the executor; `prompt` words the answer to a trailer's question. */
export function effectOf(ticket: Ticket, answer: Answer, prompt?: string): Effect {
  if (ticket.ask.kind === 'question' && isTrailerQuestion(ticket.id))
    return { kind: 'prompt', text: prompt ?? answerForExecutor(answer), ticketId: ticket.id }
  return {
    kind: 'respond',
    ticketId: ticket.id,
    requestId: requestIdOf(ticket.id),
    ask: ticket.ask.kind === 'permission' ? 'permission' : 'question',
    answer,
  }
}

/** The answer to a question as the executor reads it; a denial says whether to go on or to stop. */
export function answerForExecutor(answer: Answer): string {
  if (answer.kind === 'text') return answer.text
  if (answer.kind === 'options') return answer.labels.join('\n')
  if (answer.kind !== 'deny') throw new Error(`A question cannot be answered by ${answer.kind}.`)
  const why = answer.message === undefined || answer.message === '' ? '' : ` ${answer.message}`
  return answer.stop
    ? `Your question will not be answered.${why}\nStop here: commit what is done and end your turn with a summary.`
    : `Your question will not be answered.${why}\nGo on by your own judgement and say in the summary what you assumed.`
}
