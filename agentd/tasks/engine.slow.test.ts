import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEnginePlace, reviewer, type EnginePlace } from '../../tests/support/engine.ts'
import { createPuppet, type Puppet } from '../../tests/support/puppet-executor.ts'
import { until } from '../../tests/support/until.ts'
import { AppError } from '../../shared/errors.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { resolveTicket } from './resolve.ts'

let place: EnginePlace
let puppet: Puppet

beforeEach(async () => {
  puppet = createPuppet()
  place = await createEnginePlace({ puppet })
})
afterEach(() => place.dispose())

const ticketOf = (taskId: string, requestId: string): Ticket =>
  resolveTicket(place.store, `${taskId}:${requestId}`)

describe('deliveries', () => {
  it('tells of an answer that cannot be delivered, goes on trying, and delivers it once it can', async () => {
    const task = await place.running()
    puppet.strings.deliver = () => ({ kind: 'retry', message: 'no answer from the server' })
    puppet.ask(task.id, 'p1')
    place.engine().answers.answer(ticketOf(task.id, 'p1'), { kind: 'approve' }, reviewer)
    await until('it is told', () => place.types(task.id).includes('delivery_failed'))
    expect(ticketOf(task.id, 'p1').state).toBe('failed')
    puppet.strings.deliver = () => ({ kind: 'delivered' })
    const { outcome } = await place.engine().acts.repair(task, { by: reviewer, remember: () => undefined })
    expect(outcome).toContain('Delivered 1 of 1')
    expect(ticketOf(task.id, 'p1').state).toBe('delivered')
    expect(place.types(task.id).filter((type) => type === 'delivery_failed')).toHaveLength(1)
  })

  it('expires a ticket whose request is gone when its answer arrives', async () => {
    const task = await place.running()
    puppet.ask(task.id, 'p1')
    puppet.strings.deliver = () => ({ kind: 'gone', reason: 'the server was restarted' })
    place.engine().answers.answer(ticketOf(task.id, 'p1'), { kind: 'approve' }, reviewer)
    await until('it is expired', () => ticketOf(task.id, 'p1').state === 'expired')
    expect(ticketOf(task.id, 'p1').closedReason).toBe('the server was restarted')
    expect(place.store.deliveries.pending(task.id)).toEqual([])
  })

  it('delivers after a restart what was answered before it, with the same delivery id', async () => {
    const task = await place.running()
    puppet.strings.deliver = () => ({ kind: 'retry', message: 'not now' })
    puppet.ask(task.id, 'p1')
    place.engine().answers.answer(ticketOf(task.id, 'p1'), { kind: 'approve' }, reviewer)
    await until('it was tried', () => puppet.delivered.length >= 2)
    const [, tried] = puppet.delivered
    puppet.strings.deliver = () => ({ kind: 'already' })
    place.skew(120_000)
    await place.restart()
    await until('it is delivered', () => ticketOf(task.id, 'p1').state === 'delivered')
    expect(puppet.delivered.at(-1)?.deliveryId).toBe(tried?.deliveryId)
  })

  it('keeps the order of prompts while the first cannot be delivered', async () => {
    const task = await place.running()
    puppet.delivered.length = 0
    puppet.strings.deliver = () => ({ kind: 'retry', message: 'not now' })
    puppet.report(task.id, { type: 'turn_ended', key: 't1', text: '{"ask":"one?"}' })
    await until('the question is there', () => place.store.tickets.open(task.id).length === 1)
    place
      .engine()
      .answers.answer(place.store.tickets.open(task.id)[0] as Ticket, { kind: 'text', text: 'yes' }, reviewer)
    await until('it was tried', () => puppet.delivered.length >= 1)
    expect(puppet.delivered[0]).toMatchObject({ kind: 'prompt' })
    expect(place.store.deliveries.pending(task.id)).toHaveLength(1)
  })
})

describe('facts of executors', () => {
  it('takes a fact that is told twice once', async () => {
    const task = await place.running()
    puppet.ask(task.id, 'p1')
    puppet.ask(task.id, 'p1')
    puppet.report(task.id, { type: 'progress', key: 'x', kind: 'text', text: 'hello' })
    puppet.report(task.id, { type: 'progress', key: 'x', kind: 'text', text: 'hello' })
    expect(place.types(task.id).filter((type) => type === 'permission_request')).toHaveLength(1)
    expect(place.types(task.id).filter((type) => type === 'progress')).toHaveLength(1)
  })

  it('reads the end of a turn again when agentd ended before git was asked', async () => {
    const task = await place.running()
    puppet.report(task.id, {
      type: 'turn_ended',
      key: 't1',
      text: 'I am done.\n{"ask":"Which port?","options":["80","443"]}',
    })
    await place.restart()
    await until('the question is there', () => place.store.tickets.open(task.id).length === 1)
    const [ticket] = place.store.tickets.open(task.id)
    expect(ticket).toMatchObject({
      id: `${task.id}:ask-t1`,
      ask: { options: [{ label: '80' }, { label: '443' }] },
    })
    expect(place.types(task.id).filter((type) => type === 'question')).toHaveLength(1)
  })

  it('says what differs when the executor claims a commit that is not there', async () => {
    const task = await place.running()
    const text =
      '{"branch":"elsewhere","commit":"0123456789012345678901234567890123456789","summary":"All done."}'
    puppet.report(task.id, { type: 'turn_ended', key: 't1', text })
    await until('the review is there', () => place.types(task.id).includes('completed'))
    const row = place.store.events.lastOfTask(task.id, 1)[0]
    const event = JSON.parse(row?.json ?? '{}') as { body: { differs: { code: string }[]; commit: string } }
    expect(event.body.differs.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['branch_missing', 'commit_missing']),
    )
    expect(event.body.commit).toBe(task.base)
  })

  it('takes a finished round from git when the executor says nothing of it, and a question when git has nothing either', async () => {
    const task = await place.running()
    puppet.report(task.id, { type: 'turn_ended', key: 't1', text: 'Shall I go on?' })
    await until('the question is there', () => place.store.tickets.open(task.id).length === 1)
    expect(place.store.tickets.open(task.id)[0]).toMatchObject({
      ask: { kind: 'question', text: 'Shall I go on?' },
    })
    place
      .engine()
      .answers.answer(place.store.tickets.open(task.id)[0] as Ticket, { kind: 'text', text: 'yes' }, reviewer)
    await place.repo.git('-C', task.worktree, 'commit', '--allow-empty', '-m', 'work')
    puppet.report(task.id, { type: 'turn_ended', key: 't2', text: 'There.' })
    await until('the review is there', () => place.types(task.id).includes('completed'))
    expect(place.store.tasks.get(task.id)).toMatchObject({ state: 'waiting_review', summary: 'There.' })
  })

  it('makes a lost executor known after a restart, with the end of its log', async () => {
    const task = await place.running()
    puppet.ask(task.id, 'p1')
    puppet.strings.reattach = () => ({ kind: 'gone', message: 'killed by signal 9', logTail: 'last words' })
    await place.restart()
    expect(place.store.tasks.get(task.id)).toMatchObject({ state: 'failed', openTickets: 0 })
    expect(place.types(task.id)).toEqual(expect.arrayContaining(['crashed', 'expired']))
    expect(ticketOf(task.id, 'p1').state).toBe('expired')
  })

  it('reads again from the executor what could not be stored', async () => {
    const task = await place.running()
    const before = puppet.opened.length
    const { append } = place.store.events
    place.store.events.append = () => {
      throw new AppError({ code: 'disk_full', message: 'The disk is full.' })
    }
    // The executor's own connection must survive that.
    expect(() => puppet.ask(task.id, 'p1')).not.toThrow()
    place.store.events.append = append
    expect(place.diskFullTold).toHaveLength(1)
    await until('a new session is open', () => puppet.opened.length > before)
    puppet.ask(task.id, 'p1')
    expect(ticketOf(task.id, 'p1').state).toBe('open')
  })
})

describe('a stopped turn', () => {
  it('goes to review and not to a question when a denial stopped it', async () => {
    const task = await place.running()
    puppet.ask(task.id, 'p1')
    place.engine().answers.answer(ticketOf(task.id, 'p1'), { kind: 'deny', stop: true }, reviewer)
    puppet.report(task.id, { type: 'turn_ended', key: 't1', text: '' })
    await until('the review is there', () => place.types(task.id).includes('turn_failed'))
    expect(place.store.tasks.get(task.id)?.state).toBe('waiting_review')
  })
})

describe('the watchdog', () => {
  it('marks a silent executor once, and takes the mark away when it speaks', async () => {
    await place.dispose()
    place = await createEnginePlace({ puppet, watchdogMs: 300 })
    const task = await place.running()
    await until('it is stalled', () => place.types(task.id).includes('stalled'))
    puppet.report(task.id, { type: 'progress', kind: 'text', text: 'still here' })
    expect(place.store.tasks.get(task.id)?.stalledSince).toBeUndefined()
    await until(
      'it is stalled again',
      () => place.types(task.id).filter((type) => type === 'stalled').length === 2,
    )
  })

  it('leaves a task alone that waits for a person', async () => {
    await place.dispose()
    place = await createEnginePlace({ puppet, watchdogMs: 200 })
    const task = await place.running()
    puppet.ask(task.id, 'p1')
    const other = await place.running()
    await until('the other one is stalled', () => place.types(other.id).includes('stalled'))
    expect(place.types(task.id)).not.toContain('stalled')
  })
})
