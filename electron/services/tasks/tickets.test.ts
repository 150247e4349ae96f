import { describe, expect, it } from 'vitest'
import { createPlayedHosts, type PlayedHost } from '../../../tests/support/desk-hosts.ts'
import { sampleTask, sampleTicket } from '../../../tests/support/sample-facts.ts'
import type { Answer, Ticket } from '../../../shared/domain/ticket.ts'
import type { OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { createTickets } from './tickets.ts'

const APPROVE: Answer = { kind: 'approve' }

function desk(ticket: Ticket, host: PlayedHost = {}) {
  const played = createPlayedHosts({ local: host })
  const sent: Answer[] = []
  const tickets = createTickets({
    hosts: played.hosts,
    cache: { task: () => sampleTask(), ticket: () => ticket, put: () => undefined },
    outbox: {
      of: (): OutboxEntry | undefined => undefined,
      answer: ({ answer }) => {
        sent.push(answer)
        return Promise.resolve({ kind: 'applied', ticket })
      },
    },
  })
  const at = { host: 'local', ticketId: ticket.id }
  return { tickets, sent, at, played }
}

describe('answering a ticket', () => {
  it('sends what was decided on the very text that is asked', async () => {
    const { tickets, sent, at } = desk(sampleTicket())
    const decision = await tickets.answer({ ...at, answer: APPROVE, seenText: sampleTicket().ask.text })
    expect(decision.kind).toBe('applied')
    expect(sent).toEqual([APPROVE])
  })

  it('refuses a decision on another text, and sends nothing', async () => {
    const { tickets, sent, at } = desk(sampleTicket())
    await expect(tickets.answer({ ...at, answer: APPROVE, seenText: 'npm tes' })).rejects.toMatchObject({
      code: 'wrong_answer',
    })
    expect(sent).toEqual([])
  })

  it.each(['continue', 'done'] as const)('refuses %s, which only a review may get', async (kind) => {
    const { tickets, sent, at } = desk(sampleTicket())
    const answer: Answer = kind === 'done' ? { kind } : { kind, text: 'go on' }
    await expect(tickets.answer({ ...at, answer, seenText: sampleTicket().ask.text })).rejects.toMatchObject({
      code: 'wrong_answer',
    })
    expect(sent).toEqual([])
  })

  it.each([
    ['delivered', 'already_answered'],
    ['failed', 'already_answered'],
    ['expired', 'expired'],
  ] as const)('says of a ticket that is %s that it is %s, without sending', async (state, kind) => {
    const ticket = sampleTicket({ state })
    const { tickets, sent, at } = desk(ticket)
    const decision = await tickets.answer({ ...at, answer: APPROVE, seenText: ticket.ask.text })
    expect(decision.kind).toBe(kind)
    expect(sent).toEqual([])
  })
})

describe('who may answer', () => {
  const forPerson = sampleTicket({ audience: 'user' })
  it.each([
    ['user', forPerson, true, undefined],
    ['reviewer', forPerson, false, 'needs_pairing'],
    ['reviewer', sampleTicket(), true, undefined],
    ['observer', sampleTicket(), false, 'observer'],
  ] as const)('as %s', async (role, ticket, mayAnswer, whyNot) => {
    const { tickets, at } = desk(ticket, { role })
    const shown = await tickets.get(at)
    expect(shown.mayAnswer).toBe(mayAnswer)
    expect(shown.whyNot).toBe(whyNot)
  })

  it('refuses the answer of a desk that is not paired, with what to do', async () => {
    const { tickets, sent, at } = desk(forPerson, { role: 'reviewer' })
    await expect(
      tickets.answer({ ...at, answer: APPROVE, seenText: forPerson.ask.text }),
    ).rejects.toMatchObject({ code: 'user_only', hint: expect.stringContaining('Pair') as string })
    expect(sent).toEqual([])
  })

  it('lets an answer wait for a host that is away', async () => {
    const { tickets, sent, at, played } = desk(forPerson, { role: 'reviewer' })
    played.takeAway('local')
    await tickets.answer({ ...at, answer: APPROVE, seenText: forPerson.ask.text })
    expect(sent).toEqual([APPROVE])
  })
})
