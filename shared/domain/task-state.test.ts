import { describe, expect, it } from 'vitest'
import {
  asks,
  permission,
  question,
  reviewer,
  rule,
  SHA,
  started,
  submitted,
  TASK_ID,
  turnCompleted,
  user,
} from '../../tests/support/sample-facts.ts'
import { createHistory } from '../../tests/support/task-history.ts'
import type { Actor } from './actor.ts'
import type { Fact } from './fact.ts'
import { reduce } from './task-state.ts'
import type { Answer } from './ticket.ts'

const id = (requestId: string) => `${TASK_ID}:${requestId}`
const answers = (requestId: string, answer: Answer, by: Actor = reviewer): Fact => ({
  type: 'answered',
  ticketId: id(requestId),
  answer,
  by,
})
const approve: Answer = { kind: 'approve' }
const done: Fact = { type: 'done', by: reviewer }
const continued: Fact = { type: 'continued', text: 'Once more, in blue.', by: reviewer }
const turnFailed: Fact = { type: 'turn_failed', message: 'quota used up' }

function running() {
  const history = createHistory()
  history.all(submitted, started)
  return history
}
function refusal(reduced: ReturnType<typeof reduce>): string {
  return reduced.kind === 'refused' ? reduced.code : 'accepted'
}

describe('the way of a task', () => {
  it('goes from dispatch over work and review to its end', () => {
    const history = createHistory()
    const states = [submitted, started, turnCompleted, continued, turnCompleted, done].map((fact) => {
      history.all(fact)
      return history.task().state
    })
    expect(states).toEqual([
      'submitted',
      'running',
      'waiting_review',
      'running',
      'waiting_review',
      'completed',
    ])
    expect(history.events.map((event) => event.type)).toEqual([
      'dispatched',
      'submitted',
      'started',
      'completed',
      'continued',
      'completed',
      'done',
    ])
    expect(history.task()).toMatchObject({
      round: 2,
      head: 'b'.repeat(40),
      summary: 'Greeted.',
      openTickets: 0,
    })
    expect(history.effects.map((effect) => effect.kind)).toEqual(['prompt', 'drop'])
  })

  it('keeps how large a result is, and how the last command on it ended until the agent goes on', () => {
    const history = running()
    const changes = { files: 2, added: 30, removed: 4 }
    const ran = { type: 'ran', command: 'npm test', exitCode: 1, timedOut: false, by: user } as const
    history.all({ ...turnCompleted, changes } as Fact, ran, { ...ran, exitCode: 0 })
    expect(history.task()).toMatchObject({ changes, lastRun: { command: 'npm test', ok: true } })
    history.all(continued)
    expect(history.task().changes).toEqual(changes)
    expect(history.task().lastRun).toBeUndefined()
    history.all(turnCompleted)
    expect(history.task().changes).toBeUndefined()
  })

  it.each([
    ['the command took too long, even if it ended well when told to', { timedOut: true }, { ok: false }],
    ['the command ended well', {}, { ok: true }],
  ])('says of the last run whether it is good: %s', (_, how, lastRun) => {
    const history = running()
    const ran = { type: 'ran', command: 'npm test', exitCode: 0, timedOut: false, by: user } as const
    history.all(turnCompleted, { ...ran, ...how })
    expect(history.task().lastRun).toMatchObject(lastRun)
  })

  it('forgets the last run when the agent has worked since, also when that failed', () => {
    const history = running()
    const ran = { type: 'ran', command: 'npm test', exitCode: 0, timedOut: false, by: user } as const
    history.all(turnCompleted, ran, { type: 'turn_failed', message: 'No network.' })
    expect(history.task().state).toBe('waiting_review')
    expect(history.task().lastRun).toBeUndefined()
  })

  it('never writes to what it was given', () => {
    const history = running()
    const current = Object.freeze({ task: Object.freeze(history.task()), tickets: [] })
    expect(reduce(current, Object.freeze(turnCompleted), 5)).toMatchObject({ kind: 'changed' })
  })

  it('gives back the very same task for a fact that says nothing new', () => {
    const history = running()
    const task = history.task()
    const again = reduce({ task, tickets: [] }, started, 99)
    expect(again.kind === 'changed' && again.task).toBe(task)
  })

  it('refuses done and continue unless a review is open', () => {
    const history = running()
    expect(refusal(history.apply(done))).toBe('not_waiting_review')
    expect(refusal(history.apply(continued))).toBe('task_busy')
    history.all(asks('per_1'))
    expect(history.apply(continued)).toMatchObject({
      code: 'task_busy',
      message: expect.stringContaining('per_1') as string,
    })
  })

  it('refuses facts about a task that is over, but writes down late remarks and deliveries', () => {
    const history = running()
    history.all(asks('per_1'), answers('per_1', approve), { type: 'cancelled', by: user })
    for (const fact of [started, turnCompleted, done, continued, asks('per_2')])
      expect(refusal(history.apply(fact))).toBe('task_over')
    history.all({ type: 'note', text: 'why', by: user })
    history.all({ type: 'delivered', deliveryId: 1, ticketId: id('per_1') })
    expect(history.ticket(id('per_1'))?.state).toBe('delivered')
    expect(history.task().state).toBe('cancelled')
  })

  it.each<[Fact, string, string]>([
    [{ type: 'failed', message: 'no tmux' }, 'failed', 'failed'],
    [{ type: 'crashed', message: 'gone', logTail: '…' }, 'failed', 'crashed'],
    [{ type: 'cancelled', by: user, note: 'no longer needed' }, 'cancelled', 'cancelled'],
  ])('ends visibly on %o from any open state', (fact, state, event) => {
    for (const before of [[], [submitted], [submitted, started], [submitted, started, asks('per_1')]]) {
      const history = createHistory()
      history.all(...before, fact)
      expect(history.task()).toMatchObject({ state, openTickets: 0, endedAt: expect.any(Number) as number })
      expect(history.events.at(-1)?.type).toBe(event)
      expect(history.tickets().filter((ticket) => ticket.state === 'open')).toEqual([])
    }
  })

  it('throws for a task that was never dispatched', () => {
    expect(() => reduce(undefined, started, 1)).toThrow(/never dispatched/)
  })
})

describe('requests', () => {
  it('waits until the last of several is answered, in any order', () => {
    const history = running()
    history.all(asks('per_1'), asks('per_2'), asks('que_1', question()))
    history.all(answers('per_2', approve), answers('que_1', { kind: 'options', labels: ['red'] }))
    expect(history.task()).toMatchObject({ state: 'waiting_answer', openTickets: 1 })
    history.all(answers('per_1', { kind: 'deny', stop: false }))
    expect(history.task()).toMatchObject({ state: 'running', openTickets: 0 })
    expect(history.effects).toMatchObject([
      { kind: 'respond', requestId: 'per_2', ask: 'permission' },
      { kind: 'respond', requestId: 'que_1', ask: 'question' },
      { kind: 'respond', requestId: 'per_1', ask: 'permission' },
    ])
  })

  it('asks once, however often the executor says so', () => {
    const history = running()
    history.all(asks('per_1'), asks('per_1'))
    expect(history.events.filter((event) => event.type === 'permission_request')).toHaveLength(1)
    history.all(answers('per_1', approve), asks('per_1'))
    expect(history.task().state).toBe('running')
  })

  it('keeps the first answer and shows it to the second', () => {
    const history = running()
    history.all(asks('per_1'), answers('per_1', approve))
    expect(history.apply(answers('per_1', { kind: 'deny', stop: false }, user))).toMatchObject({
      code: 'already_answered',
      ticket: { answer: approve, answeredBy: reviewer },
    })
  })

  it('leaves what is dangerous, a product choice or escalated to the person', () => {
    const history = running()
    history.all(
      asks('per_1', permission('dangerous')),
      asks('que_1', question({ topic: 'product' })),
      asks('per_2'),
    )
    history.all({ type: 'escalated', ticketId: id('per_2'), why: 'unsure', by: reviewer })
    for (const [request, answer] of [
      ['per_1', approve],
      ['que_1', { kind: 'text', text: 'red' }],
      ['per_2', approve],
    ] as [string, Answer][]) {
      expect(history.ticket(id(request))?.audience).toBe('user')
      for (const by of [reviewer, rule, { kind: 'agentd' } as const])
        expect(refusal(history.apply(answers(request, answer, by)))).toBe('user_only')
      history.all(answers(request, answer, user))
    }
    expect(history.task().state).toBe('running')
  })

  it('escalates once and keeps the first reason', () => {
    const history = running()
    history.all(asks('per_1'))
    history.all({ type: 'escalated', ticketId: id('per_1'), why: 'first', by: reviewer })
    history.all({ type: 'escalated', ticketId: id('per_1'), why: 'second', by: reviewer })
    expect(history.ticket(id('per_1'))?.escalation?.why).toBe('first')
    expect(history.events.filter((event) => event.type === 'escalated')).toHaveLength(1)
  })

  it.each<[string, Answer, string]>([
    ['per_1', { kind: 'text', text: 'yes' }, 'wrong_answer'],
    ['per_1', { kind: 'options', labels: ['red'] }, 'wrong_answer'],
    ['per_1', { kind: 'done' }, 'wrong_answer'],
    ['que_1', approve, 'wrong_answer'],
    ['que_1', { kind: 'options', labels: ['green'] }, 'wrong_answer'],
    ['que_1', { kind: 'options', labels: ['red', 'blue'] }, 'wrong_answer'],
    ['que_2', { kind: 'options', labels: ['red', 'red'] }, 'wrong_answer'],
    ['que_2', { kind: 'options', labels: ['red', 'blue'] }, 'accepted'],
    ['que_1', { kind: 'text', text: 'neither' }, 'accepted'],
    ['que_1', { kind: 'deny', stop: false }, 'accepted'],
    ['que_9', approve, 'ticket_not_found'],
  ])('answers %s with %o: %s', (request, answer, outcome) => {
    const history = running()
    history.all(asks('per_1'), asks('que_1', question()), asks('que_2', question({ multiple: true })))
    expect(refusal(history.apply(answers(request, answer)))).toBe(outcome)
  })

  it('expires a request that the executor no longer waits for, answered or not', () => {
    const history = running()
    const gone = (request: string): Fact => ({
      type: 'request_gone',
      ticketId: id(request),
      reason: 'aborted',
    })
    history.all(
      asks('per_1'),
      asks('per_2'),
      answers('per_1', approve),
      gone('per_1'),
      gone('per_2'),
      gone('per_2'),
    )
    expect(history.task().state).toBe('running')
    expect(history.events.filter((event) => event.type === 'expired')).toHaveLength(2)
    expect(refusal(history.apply(answers('per_2', approve)))).toBe('ticket_expired')
    expect(refusal(history.apply(answers('per_1', approve)))).toBe('ticket_expired')
  })

  it('follows an answer until it is delivered', () => {
    const history = running()
    history.all(asks('per_1'))
    const failure: Fact = {
      type: 'delivery_failed',
      deliveryId: 7,
      ticketId: id('per_1'),
      attempt: 1,
      message: 'no',
    }
    const delivered: Fact = { type: 'delivered', deliveryId: 7, ticketId: id('per_1') }
    expect(refusal(history.apply(delivered))).toBe('wrong_answer')
    history.all(answers('per_1', approve), failure)
    expect(history.ticket(id('per_1'))?.state).toBe('failed')
    expect(refusal(history.apply(answers('per_1', approve)))).toBe('already_answered')
    history.all(delivered, delivered, failure)
    expect(history.ticket(id('per_1'))?.state).toBe('delivered')
    expect(history.events.filter((event) => event.type === 'delivered')).toHaveLength(1)
  })
})

describe('questions from a trailer', () => {
  it.each<[Answer, RegExp]>([
    [{ kind: 'text', text: 'Use blue.' }, /^Use blue\.$/],
    [{ kind: 'options', labels: ['blue'] }, /^blue$/],
    [{ kind: 'deny', stop: false, message: 'Your call.' }, /will not be answered\. Your call\.\nGo on/],
    [{ kind: 'deny', stop: true }, /will not be answered\.\nStop here/],
  ])('are answered by a prompt: %o', (answer, text) => {
    const history = running()
    history.all(asks('ask-1', question()), answers('ask-1', answer))
    expect(history.task().state).toBe('running')
    expect(history.effects).toEqual([
      { kind: 'prompt', ticketId: id('ask-1'), text: expect.stringMatching(text) as string },
    ])
  })

  it('give way to a later one', () => {
    const history = running()
    history.all(asks('ask-1', question()), asks('ask-2', question()))
    expect(history.ticket(id('ask-1'))?.state).toBe('expired')
    expect(history.task()).toMatchObject({ state: 'waiting_answer', openTickets: 1 })
  })
})

describe('turns', () => {
  it('expires what a finished turn no longer waits for and opens the review of its round', () => {
    const history = running()
    history.all(asks('per_1'), asks('que_1', question()), turnCompleted)
    expect(history.tickets().map((ticket) => [ticket.id, ticket.state])).toEqual([
      [id('per_1'), 'expired'],
      [id('que_1'), 'expired'],
      [id('review-1'), 'open'],
    ])
    expect(history.task()).toMatchObject({ state: 'waiting_review', openTickets: 1 })
  })

  it('reviews a failed turn, because the conversation lives on', () => {
    const history = running()
    history.all(turnFailed, continued, turnCompleted)
    expect(history.ticket(id('review-1'))).toMatchObject({ state: 'answered', answer: { kind: 'continue' } })
    expect(history.ticket(id('review-2'))).toMatchObject({ state: 'open' })
  })

  it('replaces the review when another turn ends without being asked for', () => {
    const history = running()
    history.all(turnCompleted, turnFailed)
    expect(history.ticket(id('review-1'))?.state).toBe('expired')
    expect(history.task()).toMatchObject({ state: 'waiting_review', round: 2, openTickets: 1 })
  })

  it('leaves the review when the executor goes on by itself and asks', () => {
    const history = running()
    history.all(turnCompleted, asks('per_1'))
    expect(history.ticket(id('review-1'))?.state).toBe('expired')
    expect(history.task()).toMatchObject({ state: 'waiting_answer', round: 2, openTickets: 1 })
    history.all(answers('per_1', approve), turnCompleted)
    expect(history.ticket(id('review-2'))?.state).toBe('open')
  })

  it('takes a review neither as answered, escalated nor gone', () => {
    const history = running()
    history.all(turnCompleted)
    expect(refusal(history.apply(answers('review-1', { kind: 'done' }, user)))).toBe('wrong_answer')
    const ticketId = id('review-1')
    expect(refusal(history.apply({ type: 'escalated', ticketId, why: 'x', by: reviewer }))).toBe(
      'wrong_answer',
    )
    expect(refusal(history.apply({ type: 'request_gone', ticketId, reason: 'x' }))).toBe('ticket_not_found')
  })

  it('prompts with other words when it is given them', () => {
    const history = running()
    history.all(turnCompleted, { type: 'continued', text: 'short', by: reviewer, prompt: 'long' })
    expect(history.effects).toEqual([{ kind: 'prompt', text: 'long', ticketId: id('review-1') }])
    expect(history.events.at(-1)).toMatchObject({ body: { text: 'short', round: 2 } })
  })
})

describe('marks', () => {
  it('tells that a task is stalled once, until the next sign of life', () => {
    const history = running()
    history.all({ type: 'stalled', silentMs: 5 }, { type: 'stalled', silentMs: 9 })
    expect(history.task().stalledSince).toBeDefined()
    expect(history.events.filter((event) => event.type === 'stalled')).toHaveLength(1)
    history.all({ type: 'note', text: 'hm', by: reviewer })
    expect(history.task().stalledSince).toBeDefined()
    history.all({ type: 'progress', body: { kind: 'text', text: 'on it' } })
    expect(history.task()).not.toHaveProperty('stalledSince')
    history.all({ type: 'stalled', silentMs: 5 }, started)
    expect(history.task()).not.toHaveProperty('stalledSince')
  })

  it('tells loss and return of contact once each', () => {
    const history = running()
    const gone: Fact = { type: 'offline', message: 'no answer' }
    history.all({ type: 'online' }, gone, gone)
    expect(history.task().offlineSince).toBeDefined()
    history.all({ type: 'online' }, { type: 'online' })
    expect(history.task()).not.toHaveProperty('offlineSince')
    expect(history.events.slice(-2).map((event) => event.type)).toEqual([
      'executor_offline',
      'executor_online',
    ])
  })

  it('takes a task as submitted once and with other facts only before it runs', () => {
    const history = createHistory()
    history.all(submitted, submitted, { ...submitted, base: 'c'.repeat(40) } as Fact)
    expect(history.events.filter((event) => event.type === 'submitted')).toHaveLength(2)
    history.all(started)
    expect(refusal(history.apply({ ...submitted, base: SHA } as Fact))).toBe('task_busy')
  })
})
