import { eventSchema, type Event, type EventBody } from '../../shared/domain/event.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import { duration } from './time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { actorWords, answerWords, askWords, askLine } from './words.ts'

/** The event with a typed body, or undefined when it is of a kind this version does not know. */
export function knownEvent(event: WireEvent): Event | undefined {
  const parsed = eventSchema.safeParse(event)
  return parsed.success ? (parsed.data as Event) : undefined
}

/** An event in one line for people. */
export function eventWords(wire: WireEvent): string {
  const event = knownEvent(wire)
  return event === undefined ? wire.type.replace(/_/g, ' ') : sentence(event)
}

function ticketEnd(ticketId: string): string {
  return ticketId.slice(37)
}

function sentence(event: Event): string {
  switch (event.type) {
    case 'dispatched':
      return `dispatched to ${event.body.executor} by ${actorWords(event.body.by)}`
    case 'submitted':
      return `worktree ready on ${event.body.branch}`
    case 'started':
      return 'executor started'
    case 'permission_request':
    case 'question': {
      const forUser = event.body.audience === 'user' ? ' (for the person)' : ''
      return `${askWords(event.body.ask)}${forUser}: ${askLine(event.body.ask)}`
    }
    case 'answered':
      return `${ticketEnd(event.body.ticketId)} ${answerWords(event.body.answer)} — ${actorWords(event.body.by)}`
    case 'escalated':
      return `${ticketEnd(event.body.ticketId)} handed to the person: ${visibleLine(event.body.why)}`
    case 'expired':
      return `${ticketEnd(event.body.ticketId)} expired: ${visibleLine(event.body.reason)}`
    default:
      return progressSentence(event)
  }
}

function failureWords(failed: EventBody<'progress'>['failed']): string {
  if (failed === undefined) return ''
  return failed.exitCode === undefined ? ' (failed)' : ` (exit code ${failed.exitCode})`
}

function progressSentence(
  event: Exclude<
    Event,
    {
      type:
        | 'dispatched'
        | 'submitted'
        | 'started'
        | 'permission_request'
        | 'question'
        | 'answered'
        | 'escalated'
        | 'expired'
    }
  >,
): string {
  switch (event.type) {
    case 'delivered':
      return event.body.ticketId === undefined
        ? 'instruction delivered'
        : `answer to ${ticketEnd(event.body.ticketId)} delivered`
    case 'delivery_failed':
      return `delivery failed (attempt ${event.body.attempt}): ${visibleLine(event.body.message)}`
    case 'completed': {
      const commits = `${event.body.commits} commit${event.body.commits === 1 ? '' : 's'}`
      const differs = event.body.differs.map((one) => ` — but ${visibleLine(one.message)}`).join('')
      return `round ${event.body.round} finished (${commits}): ${visibleLine(event.body.summary)}${differs}`
    }
    case 'turn_failed':
      return `round ${event.body.round} ended in an error: ${visibleLine(event.body.message)}`
    case 'continued':
      return `sent back for round ${event.body.round} by ${actorWords(event.body.by)}: ${visibleLine(event.body.text)}`
    case 'progress':
      return `${visibleLine(event.body.text)}${failureWords(event.body.failed)}`
    case 'stalled':
      return `nothing heard for ${duration(event.body.silentMs)}`
    case 'executor_offline':
      return `contact with the executor lost: ${visibleLine(event.body.message)}`
    case 'executor_online':
      return 'executor is back'
    case 'failed':
    case 'crashed':
      return `${event.type}: ${visibleLine(event.body.message)}`
    default:
      return endSentence(event)
  }
}

function endSentence(
  event: Extract<Event, { type: 'ran' | 'repaired' | 'note' | 'done' | 'cancelled' }>,
): string {
  switch (event.type) {
    case 'ran':
      return `${visibleLine(event.body.command)} ${runWords(event.body)} (run by ${actorWords(event.body.by)})`
    case 'repaired':
      return `repaired by ${actorWords(event.body.by)}: ${visibleLine(event.body.outcome)}`
    case 'note':
      return `note from ${actorWords(event.body.by)}: ${visibleLine(event.body.text)}`
    case 'done':
      return `accepted by ${actorWords(event.body.by)}${event.body.note === undefined ? '' : `: ${visibleLine(event.body.note)}`}`
    case 'cancelled':
      return `cancelled by ${actorWords(event.body.by)}${event.body.note === undefined ? '' : `: ${visibleLine(event.body.note)}`}`
  }
}

function runWords({ exitCode, timedOut }: { exitCode: number | null; timedOut: boolean }): string {
  if (timedOut) return 'took too long'
  if (exitCode === 0) return 'succeeded'
  return exitCode === null ? 'was ended by a signal' : `failed with exit code ${exitCode}`
}
