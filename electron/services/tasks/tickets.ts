import type { Answer, Ticket } from '../../../shared/domain/ticket.ts'
import { decidedText } from '../../../shared/domain/deciding.ts'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput } from '../../../shared/ipc.ts'
import type { Decision } from '../../../shared/ipc/work-calls.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { Outbox } from '../outbox/types.ts'
import { callAgain, isConnected, requireConnection } from './ask-host.ts'

/** Which ticket, on which host. */
interface At {
  host: string
  ticketId: string
}

interface Needs {
  cache: Pick<Cache, 'task' | 'ticket' | 'put'>
  hosts: HostService
  outbox: Pick<Outbox, 'answer' | 'of'>
}

/** What windows do with tickets. */
export type Tickets = ReturnType<typeof createTickets>

/** Shows tickets and takes the person's answers to them, offline too. */
export function createTickets({ cache, hosts, outbox }: Needs) {
  async function find({ host, ticketId }: At) {
    const ticket = cache.ticket(host, ticketId)
    const task = ticket === undefined ? undefined : cache.task(host, ticket.taskId)
    if (ticket !== undefined && task !== undefined) return { ticket, task }
    requireConnection(hosts, host)
    const found = await callAgain({ hosts, host, name: 'ticket.get', input: { ticket: ticketId } })
    cache.put(host, found.task, [found.ticket])
    return found
  }

  return {
    async get(at: At): Promise<IpcOutput<'ticket.get'>> {
      const found = await find(at)
      const outgoing = outbox.of(at.host, at.ticketId)
      const whyNot = whyNotAnswer(hosts, at.host, found.ticket)
      return {
        ...found,
        ...(outgoing === undefined ? {} : { outbox: outgoing }),
        mayAnswer: whyNot === undefined,
        ...(whyNot === undefined ? {} : { whyNot }),
      }
    },
    /**
     * Sends or keeps an answer. Throws `wrong_answer` when `seenText` is not what the ticket asks, and `user_only` when this
     * desk may not answer it.
     */
    async answer({
      host,
      ticketId,
      answer,
      seenText,
    }: At & { answer: Answer; seenText: string }): Promise<Decision> {
      const { ticket } = await find({ host, ticketId })
      if (answer.kind === 'continue' || answer.kind === 'done') throw notAnAnswer(answer.kind)
      if (decidedText(ticket.ask) !== seenText) throw otherText()
      if (ticket.state === 'expired') return { kind: 'expired', ticket }
      if (ticket.state !== 'open') return { kind: 'already_answered', ticket }
      const whyNot = whyNotAnswer(hosts, host, ticket)
      if (whyNot !== undefined) throw mayNot(host, whyNot)
      return outbox.answer({ host, ticketId, answer })
    },
    /** The rule that "approve and remember" would save; asks the host. */
    async rulePreview(
      { host, ticketId }: At,
      signal?: AbortSignal,
    ): Promise<IpcOutput<'ticket.rulePreview'>> {
      const rule = await callAgain({ hosts, host, name: 'rule.preview', input: { ticket: ticketId }, signal })
      return {
        ...(rule.pattern === undefined ? {} : { pattern: rule.pattern.slice(0, 1_000) }),
        ...(rule.why === undefined ? {} : { why: rule.why }),
      }
    },
    find,
  }
}

/** Why this desk may not answer a ticket; unknown roles are let through, the host decides. */
function whyNotAnswer(
  hosts: HostService,
  host: string,
  ticket: Ticket,
): 'observer' | 'needs_pairing' | undefined {
  const role = hosts.get(host)?.role
  if (role === 'observer') return 'observer'
  // An old role says little about a host that is away: it may be paired by the time the answer arrives.
  return role === 'reviewer' && ticket.audience === 'user' && isConnected(hosts, host)
    ? 'needs_pairing'
    : undefined
}

function mayNot(host: string, whyNot: 'observer' | 'needs_pairing'): AppError {
  return whyNot === 'observer'
    ? new AppError({
        code: 'forbidden',
        message: `This desk may only look at ${host}.`,
        hint: `Give it a token with another role under Hosts.`,
      })
    : new AppError({
        code: 'user_only',
        message: `Only the person answers this, and ${host} does not know yet that this desk is yours.`,
        hint: `Pair this desk with ${host} under Hosts.`,
      })
}

function notAnAnswer(kind: string): AppError {
  return new AppError({
    code: 'wrong_answer',
    message: `A ticket cannot be answered with "${kind}".`,
    hint: 'Review the task instead.',
  })
}

function otherText(): AppError {
  return new AppError({
    code: 'wrong_answer',
    message: 'What is asked is not what was on the screen.',
    hint: 'Look at it again, then decide.',
  })
}
