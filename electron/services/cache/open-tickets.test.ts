import { describe, expect, it } from 'vitest'
import { sampleTask, sampleTicket, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { createOpenTickets } from './open-tickets.ts'

const task = sampleTask()
const ticket = (name: string, openedAt: number) => sampleTicket({ id: `${TASK_ID}:${name}`, openedAt })

describe('the open tickets in memory', () => {
  it('reads once and then follows what is saved, what has waited longest first', () => {
    let loads = 0
    const open = createOpenTickets({
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
    const entries = ['local', 'box'].map((host) => ({ host, ticket: ticket('one', 1), task }))
    const open = createOpenTickets({ load: () => entries })
    expect(open.list()).toHaveLength(2)
    open.taskSaved('box', { ...task, title: 'Renamed' })
    expect(open.list().map((one) => [one.host, one.task?.title])).toEqual([
      ['local', task.title],
      ['box', 'Renamed'],
    ])
  })
})
