import { eventSchema, type Event, type EventBody } from '../../shared/domain/event.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import type { Translate } from '../i18n/i18n.ts'
import { hostSentence } from '../ui/host-sentences.ts'
import { askedWords, byWords, closedWords } from '../ticket/ticket-words.ts'

/** How an event looks in the timeline. */
export interface EventLine {
  /** `key` stays when only decisions and rounds are shown. */
  weight: 'key' | 'progress'
  tone: 'neutral' | 'danger' | 'warn' | 'ok' | 'accent'
  sentence: string
  /** More, in full, below the sentence. */
  detail?: string
  /** How what the sentence tells of has failed. */
  failure?: string
  /** The detail is a command or a path. */
  isMono?: boolean
  ticketId?: string
  /** Tells of the plan, which can be opened. */
  isPlan?: boolean
}

/**
 * An event in the words of the window; one that this version does not know is named by its type. What asks for the person calls for
 * attention only while its ticket is among the open ones.
 */
export function eventLine(wire: WireEvent, t: Translate, openTickets: ReadonlySet<string>): EventLine {
  const parsed = eventSchema.safeParse(wire)
  if (!parsed.success)
    return {
      weight: 'progress',
      tone: 'neutral',
      sentence: t('tasks.event.unknown', { type: visibleLine(wire.type) }),
    }
  const event = parsed.data as Event
  const line = known(event, t)
  const isSettled = ASKING.has(event.type) && !openTickets.has(String(wire.body['ticketId']))
  return isSettled ? { ...line, tone: 'neutral' } : line
}

const ASKING: ReadonlySet<string> = new Set<Event['type']>(['permission_request', 'question', 'escalated'])

function known(event: Event, t: Translate): EventLine {
  switch (event.type) {
    case 'progress':
      return progressLine(event.body, t)
    case 'permission_request':
    case 'question':
      return asked(event, t)
    case 'answered': {
      const detail = answerInFull(event.body.answer, t)
      return {
        weight: 'key',
        tone: 'accent',
        sentence: t('tasks.event.answered', { by: byWords(event.body.by, t) }),
        detail,
      }
    }
    case 'completed':
      return {
        weight: 'key',
        tone: 'ok',
        sentence: t('tasks.event.completed', { round: event.body.round, count: event.body.commits }),
        detail: [
          event.body.summary,
          ...event.body.differs.map((one) => t('tasks.event.differs', { text: one.message })),
        ]
          .map(visibleText)
          .join('\n'),
      }
    case 'continued':
      return {
        weight: 'key',
        tone: 'accent',
        sentence: t('tasks.event.continued', { round: event.body.round, by: byWords(event.body.by, t) }),
        detail: visibleText(event.body.text),
      }
    case 'turn_failed':
    case 'failed':
    case 'crashed':
      return trouble(event, t)
    default:
      return quiet(event, t)
  }
}

function progressLine({ kind, text, failed }: EventBody<'progress'>, t: Translate): EventLine {
  const line = { weight: 'progress', sentence: visibleText(text), isMono: kind === 'tool' } as const
  if (failed === undefined) return { ...line, tone: 'neutral' }
  const { exitCode } = failed
  const failure =
    exitCode === undefined ? t('tasks.event.tool_failed') : t('tasks.event.exit_code', { code: exitCode })
  return { ...line, tone: 'danger', failure }
}

function asked(event: Extract<Event, { type: 'permission_request' | 'question' }>, t: Translate): EventLine {
  const { ask } = event.body
  const action = ask.kind === 'permission' ? ask.action : ask.kind
  return {
    weight: 'key',
    tone: event.body.audience === 'user' ? 'warn' : 'neutral',
    sentence: t(`tasks.event.${event.type}`),
    detail: askedWords(action, visibleText(ask.text), t),
    isMono: ask.kind === 'permission' && action !== 'edit',
    ticketId: event.body.ticketId,
  }
}

function trouble(
  event: Extract<Event, { type: 'turn_failed' | 'failed' | 'crashed' }>,
  t: Translate,
): EventLine {
  const sentence =
    event.type === 'turn_failed'
      ? t('tasks.event.turn_failed', { round: event.body.round })
      : t(`tasks.event.${event.type}`)
  return { weight: 'key', tone: 'danger', sentence, detail: visibleText(event.body.message) }
}

type Loud =
  | 'progress'
  | 'permission_request'
  | 'question'
  | 'answered'
  | 'completed'
  | 'turn_failed'
  | 'continued'
  | 'failed'
  | 'crashed'

function quiet(event: Exclude<Event, { type: Loud }>, t: Translate): EventLine {
  switch (event.type) {
    case 'dispatched':
      return {
        ...key(t('tasks.event.dispatched', { executor: event.body.executor, by: byWords(event.body.by, t) })),
        detail: visibleLine(event.body.title),
        isPlan: true,
      }
    case 'submitted':
      return step(t('tasks.event.submitted', { branch: visibleLine(event.body.branch) }))
    case 'started':
      return step(t('tasks.event.started'))
    case 'escalated':
      return key(
        t('tasks.event.escalated', { by: byWords(event.body.by, t), text: visibleLine(event.body.why) }),
        'warn',
      )
    case 'expired':
      return key(t('tasks.event.expired', { text: visibleLine(closedWords(event.body.reason, t)) }))
    case 'delivered':
      return step(t(`tasks.event.${deliveredWhat(event.body.ticketId)}`))
    case 'delivery_failed':
      return key(
        t('tasks.event.delivery_failed', {
          attempt: event.body.attempt,
          text: visibleLine(event.body.message),
        }),
        'danger',
      )
    case 'ran':
      return ranLine(event, t)
    case 'stalled':
      return key(
        t('tasks.event.stalled', { count: Math.max(1, Math.round(event.body.silentMs / 60_000)) }),
        'warn',
      )
    case 'executor_offline':
      return { ...key(t('tasks.event.executor_offline'), 'warn'), detail: visibleText(event.body.message) }
    case 'executor_online':
      return key(t('tasks.event.executor_online'), 'ok')
    default:
      return byWhom(event, t)
  }
}

function ranLine({ body }: Extract<Event, { type: 'ran' }>, t: Translate): EventLine {
  const ok = body.exitCode === 0
  const how = body.timedOut ? 'ran_too_long' : ok ? 'ran_ok' : 'ran_failed'
  return {
    ...key(t(`tasks.event.${how}`, { by: byWords(body.by, t) }), ok ? 'ok' : 'danger'),
    detail: visibleLine(body.command),
    isMono: true,
  }
}

/** A prompt is the plan or a sent-back review; the id of a review's ticket says so (as turn-facts.ts makes it). */
function deliveredWhat(
  ticketId: string | undefined,
): 'delivered' | 'delivered_plan' | 'delivered_instruction' {
  if (ticketId === undefined) return 'delivered_plan'
  return /:review-\d+$/.test(ticketId) ? 'delivered_instruction' : 'delivered'
}

function byWhom(
  event: Extract<Event, { type: 'repaired' | 'note' | 'done' | 'cancelled' }>,
  t: Translate,
): EventLine {
  const line = key(
    t(`tasks.event.${event.type}`, { by: byWords(event.body.by, t) }),
    event.type === 'done' ? 'ok' : 'neutral',
  )
  const detail =
    event.type === 'repaired' ? event.body.outcome : event.type === 'note' ? event.body.text : event.body.note
  if (detail === undefined) return line
  return { ...line, detail: event.type === 'repaired' ? hostSentence(detail, t) : visibleText(detail) }
}

function key(sentence: string, tone: EventLine['tone'] = 'neutral'): EventLine {
  return { weight: 'key', tone, sentence }
}

function step(sentence: string): EventLine {
  return { weight: 'progress', tone: 'neutral', sentence }
}

/** An answer with all that was said in it, a line each. */
export function answerInFull(answer: Answer, t: Translate): string {
  switch (answer.kind) {
    case 'approve':
      return answer.remember === undefined
        ? t('tasks.answer.approve')
        : t(`tasks.answer.approve_${answer.remember.scope}`, {
            pattern: visibleLine(answer.remember.pattern),
          })
    case 'deny': {
      const words = t(answer.stop ? 'tasks.answer.deny_stop' : 'tasks.answer.deny')
      return answer.message === undefined || answer.message === ''
        ? words
        : `${words}\n${t('tasks.answer.message', { text: visibleText(answer.message) })}`
    }
    case 'text':
      return t('tasks.answer.message', { text: visibleText(answer.text) })
    case 'options':
      return answer.labels.map(visibleLine).join('\n')
    case 'continue':
      return `${t('tasks.answer.continue')}\n${visibleText(answer.text)}`
    case 'done':
      return t('tasks.answer.done')
  }
}
