import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sampleTask, sampleTicket, TASK_ID } from '../../tests/support/sample-facts.ts'
import { openSample, privateFacts } from '../../tests/support/sample-store.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import type { Store } from './store.ts'

const OTHER_ID = TASK_ID.replace('3fa2c0de', '3fa2c1de')
let store: Store
beforeEach(async () => {
  store = openSample(path.join(await tempDirForTest(), 'agentd.db'))
  onTestFinished(() => store.close())
  store.tasks.insert(sampleTask({ id: OTHER_ID }), privateFacts)
  const add = (taskId: string, own: string, openedAt: number, state: 'open' | 'delivered' = 'open') =>
    store.tickets.save(sampleTicket({ id: `${taskId}:${own}`, taskId, openedAt, state }))
  add(TASK_ID, 'per_1', 10, 'delivered')
  add(TASK_ID, 'per_12', 20)
  add(TASK_ID, 'que_1', 30, 'delivered')
  add(OTHER_ID, 'per_1', 15)
})

const names = (tickets: { id: string }[]) => tickets.map(({ id }) => `${id.slice(0, 6)}:${id.split(':')[1]}`)

describe('tickets', () => {
  it('come back as they were saved', () => {
    const id = `${TASK_ID}:per_12`
    const answered = sampleTicket({
      id,
      openedAt: 20,
      state: 'answered',
      answer: { kind: 'text', text: 'yes' },
    })
    store.tickets.save(answered)
    expect(store.tickets.get(id)).toEqual(answered)
    expect(names(store.tickets.open())).toEqual(['3fa2c1:per_1'])
    expect(store.tickets.get('nothing')).toBeUndefined()
  })

  it('wait in the order in which they were opened; histories begin with the newest', () => {
    expect(names(store.tickets.open())).toEqual(['3fa2c1:per_1', '3fa2c0:per_12'])
    expect(names(store.tickets.open(TASK_ID))).toEqual(['3fa2c0:per_12'])
    expect(names(store.tickets.ofTask(TASK_ID, 2))).toEqual(['3fa2c0:que_1', '3fa2c0:per_12'])
    expect(names(store.tickets.list({ open: true, limit: 1 }))).toEqual(['3fa2c1:per_1'])
    expect(names(store.tickets.list({ open: false, limit: 2 }))).toEqual(['3fa2c0:que_1', '3fa2c0:per_12'])
    expect(names(store.tickets.list({ taskId: TASK_ID, open: true, limit: 9 }))).toEqual(['3fa2c0:per_12'])
    expect(store.tickets.list({ taskId: TASK_ID, open: false, limit: 9 })).toHaveLength(3)
  })

  it.each([
    ['3fa2:per_1', ['3fa2c0:per_1', '3fa2c0:per_12', '3fa2c1:per_1']],
    ['3fa2c0:per_1', ['3fa2c0:per_1', '3fa2c0:per_12']],
    ['3fa2c0:q', ['3fa2c0:que_1']],
    [`${OTHER_ID}:per_1`, ['3fa2c1:per_1']],
    ['3fa2c0', ['3fa2c0:per_12', '3fa2c0:que_1', '3fa2c0:per_1']],
    ['3fa2c0:', ['3fa2c0:per_1', '3fa2c0:per_12', '3fa2c0:que_1']],
    ['4', []],
    ['3fa2c0:%', []],
  ])('are found by %s', (prefix, expected) => {
    expect(names(store.tickets.find(prefix, 10))).toEqual(expected)
    expect(names(store.tickets.find(prefix, 1))).toEqual(expected.slice(0, 1))
  })
})
