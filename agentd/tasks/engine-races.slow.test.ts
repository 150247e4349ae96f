import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEnginePlace, reviewer, type EnginePlace } from '../../tests/support/engine.ts'
import { until } from '../../tests/support/until.ts'

let place: EnginePlace

beforeEach(async () => {
  place = await createEnginePlace()
})
afterEach(() => place.dispose())

const input = (requestId: string) => ({
  requestId,
  title: 'A test',
  plan: 'Do it.',
  executor: 'puppet',
  repo: { kind: 'path' as const, path: place.repo.path },
  inPlace: false,
  allowDirty: false,
})

const act = { why: undefined, by: reviewer, remember: () => undefined }

const state = (taskId: string) => place.store.tasks.get(taskId)?.state

describe('the same request twice at once', () => {
  it('makes one task of two dispatches', async () => {
    const engine = place.engine()
    const [one, two] = await Promise.all([
      engine.dispatch(input('request-twice'), place.context()),
      engine.dispatch(input('request-twice'), place.context()),
    ])
    expect(two.task.id).toBe(one.task.id)
    expect(place.store.tasks.list({ over: true, limit: 10 })).toHaveLength(1)
    await until('the task runs', () => state(one.task.id) === 'running')
  })
})

describe('listeners', () => {
  it('does not let a listener that throws undo a commit or keep others from hearing of it', async () => {
    const heard: string[] = []
    const off = place.facts.onCommitted(() => {
      throw new Error('a bug in a listener')
    })
    place.facts.onCommitted((rows) => heard.push(...rows.map((row) => row.type)))
    const task = await place.running()
    off()
    heard.length = 0
    place.facts.apply(task.id, { type: 'note', text: 'after', by: reviewer })
    expect(heard).toEqual(['note'])
  })
})

describe('the end of a turn', () => {
  it('is not lost when the next one ends while git is asked about it', async () => {
    const task = await place.running()
    place.puppet.report(task.id, { type: 'turn_ended', key: 'turn-1', text: 'I have nothing more to say.' })
    // By now git is being asked about the first one.
    await new Promise((resolve) => setImmediate(resolve))
    place.puppet.report(task.id, { type: 'turn_ended', key: 'turn-2', text: '{"ask": "Two?"}' })
    await until('the second question is asked', () =>
      place.store.tickets.open(task.id).some((ticket) => ticket.ask.text === 'Two?'),
    )
  })

  it('goes to review as a failed turn when the worktree is gone', async () => {
    const task = await place.running()
    await rm(task.worktree, { recursive: true })
    place.puppet.report(task.id, { type: 'turn_ended', key: 'turn-1', text: 'I am done.' })
    await until('the round is over', () => state(task.id) === 'waiting_review')
    expect(place.types(task.id)).toContain('turn_failed')
  })

  it('does not take the denial of an earlier turn for the reason of this one', async () => {
    const task = await place.running()
    place.puppet.ask(task.id, 'per_1')
    const ticket = place.store.tickets.open(task.id)[0]
    if (!ticket) throw new Error('nothing was asked')
    place.engine().answers.answer(ticket, { kind: 'deny', stop: true }, reviewer)
    place.puppet.report(task.id, { type: 'turn_failed', key: 'turn-1', message: 'aborted' })
    place.engine().acts.sendBack(task, 'Go on.', reviewer)
    place.puppet.report(task.id, { type: 'turn_ended', key: 'turn-2', text: 'What do you mean?' })
    await until('the words become a question', () => state(task.id) === 'waiting_answer')
  })
})

describe('a clock that is set back', () => {
  it('does not keep an answer from being tried again', async () => {
    const task = await place.running()
    place.puppet.strings.deliver = () => ({ kind: 'retry', message: 'not now' })
    place.skew(90 * 24 * 3_600_000)
    place.puppet.ask(task.id, 'per_1')
    const ticket = place.store.tickets.open(task.id)[0]
    if (!ticket) throw new Error('nothing was asked')
    place.engine().answers.answer(ticket, { kind: 'approve' }, reviewer)
    await until('it was tried', () => place.store.deliveries.pending(task.id)[0]?.attempts === 1)
    place.skew(-90 * 24 * 3_600_000)
    place.puppet.strings.deliver = () => ({ kind: 'delivered' })
    await until('it is delivered', () => place.store.tickets.get(ticket.id)?.state === 'delivered')
  })
})

describe('a task that is over', () => {
  it('opens no session when somebody repairs it', async () => {
    const task = await place.running()
    await place.engine().acts.cancel(task, act)
    place.puppet.opened.length = 0
    await place.engine().acts.repair(task, act)
    expect(place.puppet.opened).toEqual([])
    expect(state(task.id)).toBe('cancelled')
  })

  it('still ends a wait after many remarks', async () => {
    const task = await place.running()
    await place.engine().acts.cancel(task, act)
    for (let n = 0; n < 60; n++) place.engine().acts.note(task, `note ${n}`, reviewer)
    const answer = await place.engine().wait.next({
      consumer: 'late',
      role: 'reviewer',
      tasks: [task.id],
      until: 'over',
      signal: AbortSignal.timeout(1_000),
    })
    expect(answer.event.type).toBe('cancelled')
  })
})

describe('what executors say', () => {
  it('stays within the bounds of the protocol, so that nobody who reads it fails', async () => {
    const { eventSchema } = await import('../../shared/domain/event.ts')
    const { ticketSchema } = await import('../../shared/domain/ticket.ts')
    const task = await place.running()
    const long = 'x'.repeat(300_000)
    const report = place.puppet.report
    report(task.id, { type: 'offline', message: long })
    report(task.id, { type: 'online' })
    report(task.id, {
      type: 'permission',
      key: 'p',
      requestId: 'per_long',
      ask: { action: 'command', text: `echo ${long}`, description: long, subagent: long },
    })
    report(task.id, {
      type: 'permission',
      key: 'odd',
      requestId: 'per mit 世界\n',
      ask: { action: 'command', text: 'ls' },
    })
    report(task.id, {
      type: 'question',
      key: 'q',
      requestId: 'que_long',
      ask: {
        text: long,
        options: Array.from({ length: 60 }, (_, n) => ({ label: `${n} ${long}`, description: long })),
        multiple: false,
      },
    })
    report(task.id, { type: 'turn_failed', key: 't', message: long })
    report(task.id, { type: 'lost', message: long, logTail: long })
    for (const row of place.store.events.ofTask(task.id, 0, 1_000))
      expect(eventSchema.safeParse(JSON.parse(row.json)).error?.issues, row.type).toBeUndefined()
    for (const ticket of place.store.tickets.ofTask(task.id, 100))
      expect(ticketSchema.safeParse(ticket).error?.issues, ticket.id.slice(0, 80)).toBeUndefined()
    await place.engine().recover()
  })
})
