import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAttentionDesk } from '../../../tests/support/attention-desk.ts'
import { waitingTicket } from '../../../tests/support/attention-state.ts'
import { permission, question, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { until } from '../../../tests/support/until.ts'
import { notificationRecordSchema } from '../../../shared/ipc/desk-calls.ts'

const TICKET = `${TASK_ID}:per_1`
const KEY = `ticket:devbox/${TICKET}`
const fresh = (ask?: Parameters<typeof waitingTicket>[0]) =>
  waitingTicket({ ...ask, ticket: { openedAt: Date.now() + 1_000, ...ask?.ticket } })

async function shownOne(ask?: NonNullable<Parameters<typeof waitingTicket>[0]>['ask']) {
  const desk = await createAttentionDesk()
  const service = desk.start()
  desk.state.open = [fresh(ask ? { ask } : {})]
  desk.changed()
  const one = await until('the notification', () => desk.notebook.shown[0])
  const outcomes = () =>
    service
      .log()
      .map(({ outcome, why }) => (why === undefined ? outcome : `${outcome}: ${why}`))
      .reverse()
  return { ...desk, service, one, outcomes }
}

describe('the badge', () => {
  it('follows a change at once, before anything is announced', async () => {
    const desk = await createAttentionDesk()
    const service = desk.start()
    await until('the first look', () => desk.state.looks >= 1)
    const badges: number[] = []
    service.onChange(({ badge }) => badges.push(badge))
    desk.state.open = [fresh()]
    desk.changed()
    expect(badges).toEqual([1])
    expect(service.current().badge).toBe(1)
    expect(desk.notebook.shown).toEqual([])
  })

  it('is not worked out for each of a thousand changes, and is right in the end', async () => {
    const desk = await createAttentionDesk()
    const service = desk.start()
    for (let index = 0; index < 1_000; index += 1) {
      desk.state.open.push(fresh({ id: `p${index}` }))
      desk.changed()
    }
    await until('the group', () => desk.notebook.shown.length > 0)
    expect(service.current().badge).toBe(1_000)
    expect(desk.state.looks).toBeLessThan(15)
    expect(desk.notebook.shown.map(({ wish }) => wish.title)).toEqual(['1000 decisions need you'])
  })
})

describe('announcing', () => {
  it('waits for what a rule answers at once, and then says nothing', async () => {
    const desk = await createAttentionDesk()
    const service = desk.start()
    desk.state.open = [fresh()]
    desk.changed()
    desk.state.open = []
    desk.changed()
    desk.state.open = [fresh({ id: 'other' })]
    desk.changed()
    await until('the other one', () => desk.notebook.shown.length > 0)
    expect(desk.notebook.shown.map(({ wish }) => wish.ticketId)).toEqual([`${TASK_ID}:other`])
    expect(service.log().map(({ key }) => key)).not.toContain(KEY)
  })

  it('takes back at once what was answered elsewhere', async () => {
    const { state, changed, notebook, outcomes } = await shownOne()
    state.open = []
    changed()
    await until('the withdrawal', () => notebook.withdrawn.length > 0)
    expect(notebook.withdrawn).toEqual([KEY])
    expect(outcomes()).toEqual(['shown', 'withdrawn'])
  })

  it('takes back what the person looks at now', async () => {
    const { service, notebook } = await shownOne()
    service.focus('w1', { route: `/tasks/devbox/${TASK_ID}`, focused: false })
    service.focus('w1', { route: `/tasks/devbox/${TASK_ID}`, focused: true })
    await until('the withdrawal', () => notebook.withdrawn.length > 0)
    expect(notebook.withdrawn).toEqual([KEY])
  })

  it('does not count what is on its way, until it failed', async () => {
    const desk = await createAttentionDesk()
    const service = desk.start()
    const entry = {
      id: 'o1',
      host: 'devbox',
      taskId: TASK_ID,
      ticketId: TICKET,
      createdAt: 1,
      answer: { kind: 'approve' as const },
    }
    desk.state.open = [fresh()]
    desk.state.outbox = [{ ...entry, state: 'queued' }]
    desk.changed()
    await until('a look', () => desk.state.looks >= 2)
    expect(service.current().badge).toBe(0)
    desk.state.outbox = [{ ...entry, state: 'failed' }]
    desk.changed()
    await until('the badge', () => service.current().badge === 1)
  })

  it('does not repeat after a restart', async () => {
    const { service, start, notebook, state, changed, listeners } = await shownOne()
    service.dispose()
    expect(listeners()).toBe(0)
    const second = start()
    state.open = [...state.open, fresh({ id: 'new' })]
    changed()
    await until('the new one', () => notebook.shown.length > 1)
    expect(notebook.shown.map(({ wish }) => wish.ticketId)).toEqual([TICKET, `${TASK_ID}:new`])
    expect(second.log().map(({ outcome }) => outcome)).toEqual(['shown', 'shown'])
  })

  it('follows an outage over the tries to end it', async () => {
    const desk = await createAttentionDesk()
    const since = Date.now() - 90_000
    const error = { code: 'host_unreachable' as const, message: 'away' }
    const host = { name: 'gpu-1', isLocal: false, address: 'ssh://gpu-1' }
    desk.state.counts = { ...desk.state.counts, open: 2 }
    desk.state.hosts = [{ ...host, state: { kind: 'offline', since, error } }]
    const service = desk.start()
    await until('the notification', () => desk.notebook.shown.length > 0)
    desk.state.hosts = [{ ...host, state: { kind: 'connecting' } }]
    desk.changed()
    desk.state.hosts = [{ ...host, state: { kind: 'offline', since: since + 60_000, error } }]
    desk.changed()
    const looks = desk.state.looks
    await until('more looks', () => desk.state.looks > looks + 1)
    expect(desk.notebook.withdrawn).toEqual([])
    expect(service.current().mood).toBe('offline')
    desk.state.hosts = [{ ...host, state: { kind: 'live', since: Date.now() } }]
    desk.changed()
    await until('the withdrawal', () => desk.notebook.withdrawn.length > 0)
    expect(desk.notebook.shown).toHaveLength(1)
    expect(service.current().mood).toBe('quiet')
  })

  it('does not tell again of an outage that goes on over a restart', async () => {
    const desk = await createAttentionDesk()
    const error = { code: 'host_unreachable' as const, message: 'away' }
    const offline = (since: number) => ({ kind: 'offline' as const, since, error })
    const host = { name: 'gpu-1', isLocal: false, address: 'ssh://gpu-1' }
    desk.state.counts = { ...desk.state.counts, open: 2 }
    desk.state.hosts = [{ ...host, state: offline(Date.now() - 90_000) }]
    const first = desk.start()
    await until('the notification', () => desk.notebook.shown.length > 0)
    first.dispose()
    desk.state.hosts = [{ ...host, state: offline(Date.now() - 70_000) }]
    desk.start()
    desk.state.open = [fresh()]
    desk.changed()
    await until('another one', () => desk.notebook.shown.length > 1)
    expect(desk.notebook.shown.map(({ wish }) => wish.kind)).toEqual(['trouble', 'permission'])
    expect(desk.notebook.withdrawn).toEqual([])
  })
})

describe('what a notification is answered with', () => {
  it.each([
    ['approve', { kind: 'approve' }],
    ['deny', { kind: 'deny' }],
  ] as const)('%s reaches the ticket, once', async (id, action) => {
    const { one, state, outcomes } = await shownOne()
    one.on.action(id)
    one.on.action(id)
    await until('the record', () => outcomes().length > 1)
    expect(state.acts).toEqual([{ host: 'devbox', ticketId: TICKET, seen: expect.any(String), action }])
    expect(outcomes()).toEqual(['shown', `answered: ${id}`])
  })

  it('an option by its whole label', async () => {
    const { one, state } = await shownOne(question())
    one.on.action('option', 'blue')
    expect(state.acts).toMatchObject([{ action: { kind: 'option', label: 'blue' } }])
  })

  it('a reply as text, where one was asked for', async () => {
    const { one, state } = await shownOne(question({ options: [] }))
    one.on.reply('  after ten \n')
    expect(state.acts).toMatchObject([{ action: { kind: 'text', text: 'after ten' } }])
  })

  it.each([
    ['approve', undefined],
    ['option', 'purple'],
    ['option', undefined],
  ])('what was not offered (%s %s) opens the window instead', async (id, value) => {
    const { one, state } = await shownOne({ ...permission('dangerous') })
    one.on.action(id, value)
    one.on.reply('approve')
    expect(state.acts).toEqual([])
    expect(state.opened).toEqual([one.wish.route, one.wish.route])
  })

  it('an answer that fails opens the place where it can be given again', async () => {
    const { one, state, outcomes } = await shownOne()
    state.actFails = new Error('The ticket is gone.')
    one.on.action('deny')
    await until('the window', () => state.opened.length > 0)
    expect(outcomes()).toEqual(['shown', 'failed: The ticket is gone.'])
  })

  it('a click opens it', async () => {
    const { one, state, outcomes } = await shownOne()
    one.on.click()
    expect(state.opened).toEqual([one.wish.route])
    expect(outcomes()).toEqual(['shown', 'clicked'])
  })
})

describe('a system that does not notify', () => {
  it.each([
    ['unsupported', { isThere: false }],
    ['failed', { show: () => ({ outcome: 'failed' as const, why: 'no daemon' }) }],
    [
      'failed',
      {
        show: () => {
          throw new Error('no daemon')
        },
      },
    ],
  ])('is written down as %s, and the badge goes on', async (outcome, change) => {
    const desk = await createAttentionDesk()
    Object.assign(desk.notebook, change)
    const service = desk.start()
    desk.state.open = [fresh()]
    desk.changed()
    await until('the record', () => service.log().length > 0)
    expect(service.log()).toMatchObject([{ key: KEY, outcome }])
    expect(service.current().badge).toBe(1)
    expect(service.test().outcome).toBe(outcome)
  })

  it('may say so later; then there is nothing to take back', async () => {
    const { one, state, changed, notebook, outcomes, service } = await shownOne()
    one.on.failed('denied by the system')
    state.open = []
    changed()
    await until('the badge', () => service.current().badge === 0)
    expect(notebook.withdrawn).toEqual([])
    expect(outcomes()).toEqual(['shown', 'failed: denied by the system'])
  })
})

describe('the memory on disk', () => {
  it('keeps five hundred records, and a reviewer’s never push out the person’s', async () => {
    const { state, changed, service, notebook } = await shownOne()
    for (let round = 0; round < 3; round += 1) {
      state.open = Array.from({ length: 300 }, (_, index) =>
        fresh({ id: `r${round}-${index}`, ticket: { audience: 'reviewer' } }),
      )
      state.open.push(fresh({ id: `mark${round}` }))
      changed()
      await until('this round', () => notebook.shown.length === round + 2)
    }
    const log = service.log()
    expect(log.filter(({ why }) => why === 'not_for_you')).toHaveLength(100)
    expect(log.map(({ key }) => key)).toContain(KEY)
    for (const record of log) expect(notificationRecordSchema.safeParse(record).success).toBe(true)
  })

  it('does without a file that is no database, says so, and leaves it alone', async () => {
    const databasePath = path.join(await tempDirForTest(), 'desk.db')
    fs.writeFileSync(databasePath, 'not a database, but long enough to be read as one'.repeat(40))
    const before = fs.readFileSync(databasePath, 'utf8')
    const desk = await createAttentionDesk({ databasePath })
    desk.start()
    desk.state.open = [fresh()]
    desk.changed()
    await until('the notification', () => desk.notebook.shown.length > 0)
    expect(desk.state.problems).toHaveLength(1)
    expect(fs.readFileSync(databasePath, 'utf8')).toBe(before)
  })

  it('announces nothing that waited before the first start', async () => {
    const desk = await createAttentionDesk()
    const service = desk.start()
    desk.state.open = [waitingTicket({ ticket: { openedAt: Date.now() - 60_000 } })]
    desk.changed()
    await until('the record', () => service.log().length > 0)
    expect(service.log()).toMatchObject([{ outcome: 'suppressed', why: 'old' }])
  })

  it('shows a test whatever is switched off, and opens the settings on a click', async () => {
    const desk = await createAttentionDesk()
    desk.state.settings.notifications.enabled = false
    const service = desk.start()
    expect(service.test()).toEqual({ outcome: 'shown' })
    desk.notebook.shown[0]?.on.click()
    expect(desk.state.opened).toEqual(['/settings/notifications'])
  })
})
