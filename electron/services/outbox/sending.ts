import type { Ticket } from '../../../shared/domain/ticket.ts'
import { AppError, toWireError, type ErrorCode, type WireError } from '../../../shared/errors.ts'
import type { Decision } from '../../../shared/ipc/work-calls.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { Entry } from './entries.ts'

/** What became of one try to send an entry. */
export type Sent =
  | { kind: 'decided'; decision: Exclude<Decision, { kind: 'queued' }> }
  /** The host may or may not have it: to be sent again, under the same id. */
  | { kind: 'later'; error: WireError }
  /** The host will not take it, now or later. */
  | { kind: 'refused'; error: WireError }

/** What sending needs. */
export interface SendingNeeds {
  hosts: Pick<HostService, 'call' | 'get'>
  cache: Pick<Cache, 'task' | 'ticket' | 'put' | 'putTicket' | 'hostId'>
  now: () => number
  timeoutMs: number
}

/** The way to the host failed: nothing is said about the answer itself. */
const wayFailed: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'connection_lost',
  'host_unreachable',
  'host_unknown',
  'timeout',
  'cancelled',
  'rate_limited',
  'unauthorized',
  'protocol_mismatch',
])
/** The host has trouble that may pass; it is not asked for ever. */
const hostFailed: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'disk_full',
  'database_locked',
  'database_unusable',
])
const MAX_HOST_FAILURES = 5
const SAFE_TO_REPEAT_MS = 6 * 24 * 3_600_000

/** Sends one entry, once. Never rejects. */
export async function sendEntry(needs: SendingNeeds, entry: Entry, signal: AbortSignal): Promise<Sent> {
  const other = otherMachine(needs, entry) ?? otherAsk(needs, entry) ?? tooOld(needs, entry)
  if (other) return { kind: 'refused', error: other }
  const { cache } = needs
  try {
    const decision =
      entry.kind === 'answer'
        ? await sendAnswer(needs, entry, signal)
        : (tooLate(needs, entry) ?? (await sendContinue(needs, entry, signal)))
    if (decision.kind !== 'applied' || entry.kind === 'answer') cache.putTicket(entry.host, decision.ticket)
    return { kind: 'decided', decision }
  } catch (error) {
    const wire = toWireError(error)
    const isLater =
      wayFailed.has(wire.code) || (hostFailed.has(wire.code) && entry.attempts < MAX_HOST_FAILURES)
    return { kind: isLater ? 'later' : 'refused', error: wire }
  }
}

async function sendAnswer({ hosts, timeoutMs }: SendingNeeds, entry: Entry, signal: AbortSignal) {
  const { requestId, answer, ticketId = '' } = entry
  const input = { requestId, ticket: ticketId, answer, ...seenBy(entry) }
  return hosts.call(entry.host)('ticket.answer', input, { signal, timeoutMs })
}

/** The cache may be behind its host, so the host compares once more. */
function seenBy({ seen }: Entry): { seen?: string } {
  return seen === undefined ? {} : { seen }
}

async function sendContinue(needs: SendingNeeds, entry: Entry, signal: AbortSignal) {
  const { hosts, cache, timeoutMs, now } = needs
  const { requestId, taskId, answer, host } = entry
  if (answer.kind !== 'continue') throw new Error(`an instruction cannot be ${answer.kind}`)
  const input = { requestId, task: taskId, text: answer.text, ...seenBy(entry) }
  const { task } = await hosts.call(host)('task.continue', input, { signal, timeoutMs })
  const review = reviewOf(needs, entry)
  cache.put(host, task)
  const ticket: Ticket = {
    ...(review ?? emptyReview(entry, task.round - 1, now())),
    state: 'answered',
    answer,
    answeredAt: now(),
  }
  return { kind: 'applied' as const, ticket }
}

/**
 * An instruction was written for one round. When that round was answered by something else, or is over, while the
 * instruction waited here, it is not given to another round.
 */
function tooLate(needs: SendingNeeds, entry: Entry): Exclude<Decision, { kind: 'queued' }> | undefined {
  const review = reviewOf(needs, entry)
  if (review && review.state !== 'open') {
    const { answer } = review
    // Perhaps it is this very instruction, whose confirmation was lost; the host knows by its id.
    if (answer?.kind === 'continue' && entry.answer.kind === 'continue' && answer.text === entry.answer.text)
      return undefined
    return { kind: review.state === 'expired' ? 'expired' : 'already_answered', ticket: review }
  }
  const round = needs.cache.task(entry.host, entry.taskId)?.round
  const mine = roundOf(entry)
  if (entry.attempts > 1 || round === undefined || mine === undefined || round === mine) return undefined
  throw new AppError({
    code: 'already_answered',
    message: `This was written for round ${mine}; the task is at round ${round} by now.`,
    hint: 'Look at the newer round, and send the instruction again when it still holds.',
  })
}

function reviewOf({ cache }: SendingNeeds, { host, ticketId }: Entry): Ticket | undefined {
  return ticketId === undefined ? undefined : cache.ticket(host, ticketId)
}

function roundOf({ ticketId }: Entry): number | undefined {
  const round = Number(/:review-(\d+)$/.exec(ticketId ?? '')?.[1])
  return Number.isSafeInteger(round) && round > 0 ? round : undefined
}

function emptyReview({ taskId, ticketId }: Entry, round: number, now: number): Ticket {
  return {
    id: ticketId ?? `${taskId}:review-${round}`,
    taskId,
    state: 'open',
    audience: 'reviewer',
    ask: { kind: 'review', round: Math.max(1, round), text: '' },
    openedAt: now,
    openedSeq: 0,
  }
}

/** A host that was restored from a backup may ask something else under an id that it has given out before. */
function otherAsk({ cache }: SendingNeeds, { host, ticketId = '', seen }: Entry): WireError | undefined {
  const ticket = cache.ticket(host, ticketId)
  if (seen === undefined || ticket?.state !== 'open' || askDigest(ticket.ask) === seen) return undefined
  return {
    code: 'wrong_answer',
    message: 'What is asked now is not what this answers.',
    hint: 'Look at it again, then decide.',
  }
}

/** Hosts remember for seven days what they have carried out; an instruction sent again after that would be carried out again. */
function tooOld({ now }: SendingNeeds, { kind, triedAt }: Entry): WireError | undefined {
  if (kind !== 'continue' || triedAt === undefined || Math.abs(now() - triedAt) < SAFE_TO_REPEAT_MS)
    return undefined
  return {
    code: 'already_answered',
    message: 'This was sent days ago, and whether it arrived was never heard.',
    hint: 'Look at the task, and send the instruction again when it has not arrived.',
  }
}

/** The name may have been given to another machine since. */
function otherMachine({ hosts, cache }: SendingNeeds, { host, hostId }: Entry): WireError | undefined {
  const current = hosts.get(host)?.hostId ?? cache.hostId(host)
  if (hostId === undefined || current === undefined || current === hostId) return undefined
  return {
    code: 'host_unknown',
    message: `This was meant for another machine than the one that is called ${host} now.`,
    hint: 'Take it back, or add the machine it was meant for again.',
  }
}
