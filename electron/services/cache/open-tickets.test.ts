import { describe, expect, it } from 'vitest'
import { sampleTask, sampleTicket, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { createOpenTickets, MAX_PER_HOST, type OpenTicket } from './open-tickets.ts'

const task = sampleTask()
const ticket = (name: string, openedAt: number) => sampleTicket({ id: `${TASK_ID}:${name}`, openedAt })

describe('the open tickets in memory', () => {
  it('reads once and then follows what is saved, what has waited longest first', () => {
    let loads = 0
    const open = createOpenTickets({
      hosts: () => ['local'],
      load: () => {
        loads += 1
        return [{ host: 'local', ticket: ticket('late', 20), task }]
      },
    })
    // Before anybody asks there is nothing to keep up.
    open.saved({ host: 'local', ticket: ticket('unread', 1), task })
    const names = () => open.list().map((one) => one.ticket.id.split(':')[1])
    expect(names()).toEqual(['late'])
    open.saved({ host: 'local', ticket: ticket('early', 10), task })
    expect(names()).toEqual(['early', 'late'])
    open.saved({ host: 'local', ticket: { ...ticket('late', 20), state: 'answered' }, task })
    expect(names()).toEqual(['early'])
    expect(open.list()).toBe(open.list())
    expect(loads).toBe(1)
    open.forget()
    expect(names()).toEqual(['late'])
    expect(loads).toBe(2)
  })

  it('shows a task as it was saved last, and keeps hosts apart', () => {
    const open = createOpenTickets({
      hosts: () => ['local', 'box'],
      load: (host) => [{ host, ticket: ticket('one', 1), task }],
    })
    expect(open.list()).toHaveLength(2)
    open.taskSaved('box', { ...task, title: 'Renamed' })
    expect(open.list().map((one) => [one.host, one.task?.title])).toEqual([
      ['local', task.title],
      ['box', 'Renamed'],
    ])
  })
  it('keeps the newest of a host that has very many, and looks for others when many of them are gone', () => {
    const stored = new Map<number, OpenTicket>()
    const entry = (n: number): OpenTicket => ({ host: 'box', ticket: ticket(`t${n}`, n), task })
    const add = (n: number) => stored.set(n, entry(n)).get(n) ?? entry(n)
    for (let n = 0; n < MAX_PER_HOST * 2; n += 1) add(n)
    const open = createOpenTickets({
      hosts: () => ['box'],
      load: (_, limit) =>
        [...stored.values()].sort((a, b) => b.ticket.openedAt - a.ticket.openedAt).slice(0, limit),
    })
    const span = () => [open.list()[0]?.ticket.openedAt, open.list().length]
    expect(span()).toEqual([MAX_PER_HOST, MAX_PER_HOST])
    for (let n = MAX_PER_HOST * 2; n < MAX_PER_HOST * 2 + 500; n += 1) open.saved(add(n))
    expect(span()).toEqual([MAX_PER_HOST + 500, MAX_PER_HOST])
    // Older than all that are kept: one of those that are not.
    open.saved(entry(1))
    expect(span()).toEqual([MAX_PER_HOST + 500, MAX_PER_HOST])
    for (let n = MAX_PER_HOST * 2 + 499; n > MAX_PER_HOST + 500; n -= 1) {
      stored.delete(n)
      open.removed('box', `${TASK_ID}:t${n}`)
      if (n % 500 === 0) expect(open.list().length).toBeGreaterThanOrEqual(MAX_PER_HOST / 2)
    }
    expect(open.list().at(-1)?.ticket.openedAt).toBe(MAX_PER_HOST + 500)
    expect(open.list().map((one) => one.ticket.openedAt)).toEqual(
      open
        .list()
        .map((one) => one.ticket.openedAt)
        .sort((a, b) => a - b),
    )
  })
})
