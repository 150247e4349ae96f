import { describe, expect, it } from 'vitest'
import type { Answer, Ticket } from '../../../shared/domain/ticket.ts'
import { createPlayedHosts } from '../../../tests/support/desk-hosts.ts'
import { permission, question, sampleTask, sampleTicket } from '../../../tests/support/sample-facts.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import { createTickets } from '../tasks/tickets.ts'
import { act, type Act } from './act.ts'

function clicks(ticket: Ticket, outcome: 'applied' | 'already_answered' | 'expired' = 'applied') {
  const sent: Answer[] = []
  const tickets = createTickets({
    hosts: createPlayedHosts({ local: {} }).hosts,
    cache: { task: () => sampleTask(), ticket: () => ticket, put: () => undefined },
    outbox: {
      of: () => undefined,
      answer: ({ answer }) => {
        sent.push(answer)
        return Promise.resolve({ kind: outcome, ticket })
      },
    },
  })
  const seen = askDigest(ticket.ask)
  const click = (action: Act['action'], shown = seen) =>
    act(tickets, { host: 'local', ticketId: ticket.id, seen: shown, action })
  return { click, sent }
}

describe('a click outside of the window', () => {
  it('approves what is routine', async () => {
    const { click, sent } = clicks(sampleTicket({ ask: permission('routine') }))
    await click({ kind: 'approve' })
    expect(sent).toEqual([{ kind: 'approve' }])
  })

  it('does not approve an edit, whose diff nobody could read there', async () => {
    const ask = { ...permission(), action: 'edit' as const, diff: '+evil' }
    const { click, sent } = clicks(sampleTicket({ ask, audience: 'user' }))
    await expect(click({ kind: 'approve' })).rejects.toMatchObject({ code: 'person_required' })
    expect(sent).toEqual([])
  })

  it('never approves what is dangerous, but denies it', async () => {
    const { click, sent } = clicks(sampleTicket({ ask: permission('dangerous'), audience: 'user' }))
    await expect(click({ kind: 'approve' })).rejects.toMatchObject({ code: 'person_required' })
    expect(sent).toEqual([])
    await click({ kind: 'deny' })
    expect(sent).toEqual([{ kind: 'deny', stop: false }])
  })

  it.each([
    ['another text', { ...permission('routine'), text: 'rm -rf build' }],
    ['another diff', { ...permission('routine'), diff: '+other' }],
    ['another kind of thing', question({ text: permission('routine').text })],
  ])('is refused when what is asked by now is %s than what was shown', async (_, ask) => {
    const { click, sent } = clicks(sampleTicket({ ask }))
    const shown = askDigest(permission('routine'))
    for (const action of [{ kind: 'approve' }, { kind: 'deny' }, { kind: 'text', text: 'no' }] as const)
      await expect(click(action, shown)).rejects.toMatchObject({ code: 'wrong_answer' })
    expect(sent).toEqual([])
  })

  it('is refused when a question offers something else under the same words', async () => {
    const { click, sent } = clicks(
      sampleTicket({ ask: question({ options: [{ label: 'red', description: 'new' }] }) }),
    )
    const shown = askDigest(question({ options: [{ label: 'red', description: 'old' }] }))
    await expect(click({ kind: 'option', label: 'red' }, shown)).rejects.toMatchObject({
      code: 'wrong_answer',
    })
    expect(sent).toEqual([])
  })

  it('takes a typed reply to a request as a reason against it', async () => {
    const { click, sent } = clicks(sampleTicket({ ask: permission('dangerous') }))
    await click({ kind: 'text', text: 'yes, approve' })
    expect(sent).toEqual([{ kind: 'deny', stop: false, message: 'yes, approve' }])
  })

  it('answers a question by an option that it has, or in words', async () => {
    const ask = question({ options: [{ label: 'red' }] })
    const { click, sent } = clicks(sampleTicket({ ask }))
    await click({ kind: 'option', label: 'red' })
    await click({ kind: 'text', text: 'neither' })
    await expect(click({ kind: 'option', label: 'blue' })).rejects.toMatchObject({ code: 'wrong_answer' })
    await expect(click({ kind: 'approve' })).rejects.toMatchObject({ code: 'wrong_answer' })
    expect(sent).toEqual([
      { kind: 'options', labels: ['red'] },
      { kind: 'text', text: 'neither' },
    ])
  })

  it.each([
    ['already_answered', 'already_answered'],
    ['expired', 'ticket_expired'],
  ] as const)('that came too late (%s) says so', async (outcome, code) => {
    const { click } = clicks(sampleTicket({ ask: permission('routine') }), outcome)
    await expect(click({ kind: 'approve' })).rejects.toMatchObject({ code })
  })
})
