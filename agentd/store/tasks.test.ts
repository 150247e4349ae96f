import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { taskStateSchema } from '../../shared/domain/task.ts'
import { SHA, sampleTask } from '../../tests/support/sample-facts.ts'
import { privateFacts, taskId } from '../../tests/support/sample-store.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

let store: Store
beforeEach(async () => {
  store = openStore({ path: path.join(await tempDirForTest(), 'agentd.db') })
  onTestFinished(() => store.close())
})

const add = (n: number, change: Parameters<typeof sampleTask>[0] = {}) =>
  store.tasks.insert(sampleTask({ id: taskId(n), createdAt: n, ...change }), privateFacts)
const ids = (tasks: { id: string }[]) => tasks.map((task) => parseInt(task.id.slice(0, 8), 16))

describe('tasks', () => {
  it('come back as they were saved', () => {
    add(1)
    const changed = sampleTask({
      id: taskId(1),
      createdAt: 1,
      state: 'running',
      session: 'ses',
      stalledSince: 7,
    })
    store.tasks.save(changed)
    expect(store.tasks.get(taskId(1))).toEqual(changed)
    store.tasks.save({ ...changed, title: 'same state' })
    expect(store.tasks.get(taskId(1))?.title).toBe('same state')
    expect(store.tasks.get(taskId(2))).toBeUndefined()
    expect(() => store.tasks.save(sampleTask({ id: taskId(2) }))).toThrow(/before it was inserted/)
  })

  it('are found by any beginning of their id', () => {
    for (const n of [0x11, 0x12, 0x21]) add(n)
    expect(ids(store.tasks.find('0000001', 10))).toEqual([0x11, 0x12])
    expect(ids(store.tasks.find('0000001', 1))).toEqual([0x11])
    expect(ids(store.tasks.find(taskId(0x21), 10))).toEqual([0x21])
    expect(store.tasks.find('f', 10)).toEqual([])
    expect(store.tasks.find('0%', 10)).toEqual([])
  })

  it('are listed newest first, page by page, in whatever states they are', () => {
    const states = taskStateSchema.options
    // Three at a time share a moment, so that pages break inside of it.
    for (let n = 0; n < 40; n++)
      add(n, { state: states[n % states.length] ?? 'running', createdAt: Math.floor(n / 3) })
    const seen: number[] = []
    let last: string | undefined
    for (;;) {
      const page = store.tasks.list({
        over: true,
        limit: 7,
        ...(last === undefined ? {} : { beforeId: last }),
      })
      if (page.length === 0) break
      seen.push(...ids(page))
      last = page.at(-1)?.id
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => 39 - index))
    expect(ids(store.tasks.list({ over: false, limit: 3 }))).toEqual([36, 35, 34])
    expect(ids(store.tasks.list({ over: true, states: ['failed', 'completed'], limit: 3 }))).toEqual([
      38, 37, 30,
    ])
    expect(store.tasks.list({ over: true, limit: 5, beforeId: taskId(99) })).toEqual([])
  })

  it('are counted while open, and remembered after their end until they are cleaned up', () => {
    add(1)
    add(2, { state: 'waiting_review' })
    add(3, { state: 'completed', endedAt: 9 })
    expect([store.tasks.countOpen(), ids(store.tasks.open())]).toEqual([2, [1, 2]])
    expect(ids(store.tasks.uncleaned())).toEqual([3])
    store.tasks.savePrivate(taskId(3), { cleaned: true })
    expect(store.tasks.uncleaned()).toEqual([])
  })

  it('keep what is nobody else’s business, changed field by field', () => {
    add(1)
    expect(store.tasks.private(taskId(1))).toEqual(privateFacts)
    store.tasks.saveAdapterState(taskId(1), { port: 0 })
    expect(store.tasks.adapterState(taskId(1))).toEqual({ port: 0 })
    store.tasks.savePrivate(taskId(1), {
      adapterState: { port: 1 },
      stopRequested: true,
      model: 'm',
    })
    store.tasks.savePrivate(taskId(1), { plan: 'Another plan.', keepWorktree: true })
    expect(store.tasks.private(taskId(1))).toEqual({
      plan: 'Another plan.',
      model: 'm',
      keepWorktree: true,
      adapterState: { port: 1 },
      cleaned: false,
      stopRequested: true,
    })
    expect(() => store.tasks.private(taskId(2))).toThrow(/Nothing is kept/)
  })

  it('remember the commits of each round, the last word counting', () => {
    add(1)
    store.tasks.round(taskId(1), 2, SHA, SHA, 'second')
    store.tasks.round(taskId(1), 1, SHA, SHA, 'first')
    store.tasks.round(taskId(1), 2, SHA, 'b'.repeat(40), 'second again')
    expect(store.tasks.rounds(taskId(1))).toEqual([
      { round: 1, from: SHA, to: SHA, summary: 'first' },
      { round: 2, from: SHA, to: 'b'.repeat(40), summary: 'second again' },
    ])
  })
})
