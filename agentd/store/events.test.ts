import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { eventSchema, type NewEvent } from '../../shared/domain/event.ts'
import { noteEvent, sampleTask, TASK_ID } from '../../tests/support/sample-facts.ts'
import { openSample, privateFacts, taskId } from '../../tests/support/sample-store.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

let store: Store
beforeEach(async () => {
  store = openSample(path.join(await tempDirForTest(), 'agentd.db'))
  onTestFinished(() => store.close())
})

const failed: NewEvent = { type: 'failed', body: { message: 'no' } }
const seqs = (events: { seq: number }[]) => events.map((event) => event.seq)

function addTask(n: number, change: Parameters<typeof sampleTask>[0] = {}): string {
  store.tasks.insert(sampleTask({ id: taskId(n), createdAt: n, ...change }), privateFacts)
  return taskId(n)
}
function endTask(n: number, endedAt: number): void {
  store.tasks.save(sampleTask({ id: taskId(n), createdAt: n, state: 'completed', endedAt }))
}

describe('events', () => {
  it('are numbered without a gap and lie there in the form in which they are sent', () => {
    for (let count = 0; count < 5; count++) store.events.append(TASK_ID, 2_000, noteEvent())
    const stored = store.events.after(0, 100)
    expect(seqs(stored)).toEqual([1, 2, 3, 4, 5, 6])
    for (const event of stored)
      expect(eventSchema.parse(JSON.parse(event.json))).toMatchObject({
        seq: event.seq,
        taskId: TASK_ID,
        type: 'note',
      })
    expect(store.events.headSeq()).toBe(6)
  })

  it('are stored once per key and task, and a repeat costs no number', () => {
    const other = addTask(1)
    expect(store.events.append(TASK_ID, 1, noteEvent(), 'msg_1')?.seq).toBe(2)
    expect(store.events.append(TASK_ID, 1, noteEvent('again'), 'msg_1')).toBeUndefined()
    expect(store.events.append(other, 1, noteEvent(), 'msg_1')?.seq).toBe(3)
    expect([store.events.hasKey(TASK_ID, 'msg_1'), store.events.hasKey(TASK_ID, 'msg_2')]).toEqual([
      true,
      false,
    ])
  })

  it('are read by host, by task, from the end, and by whether they wake', () => {
    const other = addTask(1)
    for (const [task, event] of [
      [TASK_ID, failed],
      [other, noteEvent()],
      [other, failed],
      [TASK_ID, noteEvent()],
      [TASK_ID, failed],
    ] as const)
      store.events.append(task, 1, event)
    expect(seqs(store.events.after(2, 3))).toEqual([3, 4, 5])
    expect(seqs(store.events.ofTask(TASK_ID, 1, 10))).toEqual([2, 5, 6])
    expect(seqs(store.events.lastOfTask(TASK_ID, 2))).toEqual([5, 6])
    expect(seqs(store.events.waking(undefined, 0, 2))).toEqual([2, 4])
    expect(seqs(store.events.waking([TASK_ID, other, other], 2, 10))).toEqual([4, 6])
    expect(store.events.waking([], 0, 10)).toEqual([])
  })
})

describe('pruning', () => {
  const keepAll = { olderThan: 0, maxBytes: Infinity, keepPerTask: 1 }
  function fill(task: string, count: number): void {
    store.transaction(() => {
      for (let done = 0; done < count; done++) store.events.append(task, 1, noteEvent('x'.repeat(500)))
    })
  }

  it('drops by age, keeps the newest of each task, and moves on where events are complete from', () => {
    const [old, young, open] = [addTask(1), addTask(2), addTask(3)]
    fill(old, 10)
    fill(open, 5)
    fill(young, 5)
    endTask(1, 100)
    endTask(2, 300)
    expect(store.events.completeFromSeq()).toBe(1)
    expect(store.events.prune({ ...keepAll, olderThan: 200, keepPerTask: 3 })).toEqual({
      removed: 7,
      more: false,
    })
    expect(seqs(store.events.ofTask(old, 0, 100))).toEqual([9, 10, 11])
    expect(store.events.ofTask(open, 0, 100)).toHaveLength(5)
    expect(store.events.ofTask(young, 0, 100)).toHaveLength(5)
    expect(store.events.completeFromSeq()).toBe(9)
    expect(store.events.prune({ ...keepAll, olderThan: 200, keepPerTask: 3 })).toEqual({
      removed: 0,
      more: false,
    })
  })

  it('drops by size, the oldest ending first, until the rest fits', () => {
    for (const n of [1, 2, 3]) fill(addTask(n), 1_000)
    for (const n of [1, 2, 3]) endTask(n, 1_000 - n)
    const maxBytes = 2 * 1_000 * 1_200
    while (store.events.prune({ ...keepAll, maxBytes }).more);
    expect([1, 2, 3].map((n) => store.events.ofTask(taskId(n), 0, 5_000).length)).toEqual([1_000, 1_000, 1])
    // What was dropped last stood at the end, so everything before it counts as incomplete.
    expect(store.events.completeFromSeq()).toBe(store.events.headSeq())
  })

  it('works in bounded batches and never gives a number twice', () => {
    fill(addTask(1), 2_600)
    endTask(1, 100)
    const head = store.events.headSeq()
    const policy = { ...keepAll, olderThan: 200, keepPerTask: 0 }
    const removed = [1, 2, 3, 4].map(() => store.events.prune(policy).removed)
    expect(removed).toEqual([1_000, 1_000, 599, 0])
    expect(seqs(store.events.ofTask(taskId(1), 0, 10))).toEqual([head])
    expect(store.events.completeFromSeq()).toBe(head)
    const reopened = store.path
    store.close()
    store = openStore({ path: reopened })
    expect(store.events.append(TASK_ID, 1, noteEvent())?.seq).toBe(head + 1)
  })

  it('says that there is more when a bite found a thousand tasks with nothing to drop', () => {
    for (let n = 1; n <= 1_001; n++) fill(addTask(n), 1)
    for (let n = 1; n <= 1_001; n++) endTask(n, 100)
    const policy = { ...keepAll, olderThan: 200, keepPerTask: 5 }
    expect(store.events.prune(policy)).toEqual({ removed: 0, more: true })
    expect(store.events.prune(policy)).toEqual({ removed: 0, more: false })
  })

  it('lets go of deliveries that were made, and leaves tasks that are not over alone', () => {
    const task = addTask(1)
    const one = {
      taskId: task,
      kind: 'prompt',
      ticketId: undefined,
      payload: { kind: 'prompt', text: 'x' },
      createdAt: 1,
    } as const
    store.deliveries.delivered(store.deliveries.add(one).id, 2)
    fill(task, 3)
    expect(store.events.prune({ olderThan: 1e15, maxBytes: 0, keepPerTask: 1 })).toMatchObject({ removed: 0 })
    endTask(1, 100)
    expect(store.events.prune({ olderThan: 1e15, maxBytes: 0, keepPerTask: 1 })).toMatchObject({ removed: 2 })
    expect(store.events.after(0, 100).map((event) => event.taskId)).toEqual([TASK_ID, task])
  })
})
