import { describe, expect, it } from 'vitest'
import { permission, reviewer, sampleTask, sampleTicket, TASK_ID } from '../../tests/support/sample-facts.ts'
import type { WireEvent } from '../protocol/records.ts'
import { projectEvents } from './projection.ts'

const working = sampleTask({ state: 'running', lastSeq: 10, session: 'ses_1' })

function event(seq: number, type: string, body: Record<string, unknown> = {}): WireEvent {
  return { seq, taskId: TASK_ID, at: 5_000 + seq, type, body }
}

const asks = (seq: number, id = 'per_1') =>
  event(seq, 'permission_request', {
    ticketId: `${TASK_ID}:${id}`,
    audience: 'reviewer',
    ask: permission(),
  })

describe('a projection', () => {
  it('writes neither to the copy nor to the events', () => {
    const copy = structuredClone({ task: working, tickets: [sampleTicket()] })
    const events = [asks(11, 'per_2'), event(12, 'expired', { ticketId: `${TASK_ID}:per_1`, reason: 'gone' })]
    const [before, told] = [structuredClone(copy), structuredClone(events)]
    const after = projectEvents(copy, events)
    expect(after.tickets.map(({ state }) => state).sort()).toEqual(['expired', 'open'])
    expect([copy, events]).toEqual([before, told])
  })

  it('skips a type that only a newer host knows, and has still seen it', () => {
    const after = projectEvents({ task: working, tickets: [] }, [event(11, 'applauded', { by: 'all' })])
    expect(after).toEqual({
      task: { ...working, updatedAt: 5_011, lastSeq: 11 },
      tickets: [],
      needsTask: false,
    })
  })

  it.each([
    ['a body that lacks a field', event(11, 'permission_request', { ticketId: `${TASK_ID}:per_1` })],
    ['an ask out of bounds', event(11, 'question', { ticketId: 'x', audience: 'everybody', ask: {} })],
    [
      'the answer to a ticket that is not here',
      event(11, 'answered', {
        ticketId: `${TASK_ID}:per_9`,
        answer: { kind: 'approve' },
        by: reviewer,
      }),
    ],
    ['the end of a review that is not here', event(11, 'continued', { round: 2, text: 'x', by: reviewer })],
  ])('says that the task is needed after %s', (_, odd) => {
    const after = projectEvents({ task: working, tickets: [] }, [odd])
    expect(after.needsTask).toBe(true)
    expect(after.task.lastSeq).toBe(11)
  })

  it('does not need a ticket that was closed before', () => {
    const ticketId = `${TASK_ID}:per_9`
    const events = [
      event(11, 'delivery_failed', { deliveryId: 1, ticketId, attempt: 1, message: 'x' }),
      event(12, 'delivered', { deliveryId: 1, ticketId }),
      event(13, 'expired', { ticketId, reason: 'gone' }),
    ]
    expect(projectEvents({ task: working, tickets: [] }, events)).toMatchObject({
      needsTask: false,
      tickets: [],
    })
  })

  it('learns nothing new from what the task has seen, but opens a ticket that the copy lacks', () => {
    const waiting = { ...working, state: 'waiting_answer' as const, openTickets: 1, lastSeq: 20 }
    const after = projectEvents({ task: waiting, tickets: [] }, [
      event(14, 'failed', { message: 'no' }),
      asks(15),
    ])
    expect(after.task).toBe(waiting)
    expect(after.tickets).toMatchObject([{ id: `${TASK_ID}:per_1`, state: 'open', openedSeq: 15 }])
  })

  it('keeps what was heard of a ticket in another way before its events came', () => {
    const ticket = sampleTicket({ state: 'delivered', answer: { kind: 'approve' }, answeredBy: reviewer })
    const answered = event(11, 'answered', { ticketId: ticket.id, answer: { kind: 'approve' }, by: reviewer })
    expect(projectEvents({ task: working, tickets: [ticket] }, [asks(11), answered]).tickets).toEqual([])
  })

  it('counts a thousand tickets of one task', () => {
    const events = Array.from({ length: 1_000 }, (_, index) => asks(11 + index, `per_${index}`))
    expect(projectEvents({ task: working, tickets: [] }, events).task.openTickets).toBe(1_000)
  })
})
