import { beforeAll, describe, expect, it } from 'vitest'
import type { IpcAnswer } from '../../shared/ipc.ts'
import { askAhead, FIRST_WINDOW, takeAhead } from './ahead.ts'
import { startBridge } from './bridge.ts'
import { followDesk, loadDesk } from './desk-store.ts'

const heard: ((name: string, payload: unknown) => void)[] = []
const answers = new Map<string, IpcAnswer>()
const counts = { needsYou: 0, reviewer: 0, toReview: 0, offline: 0, running: 0, outbox: 0 }
const tellChange = (revision: number) =>
  heard.forEach((hear) => hear('desk.changed', { revision, counts, hosts: [], tasks: 'all' }))

beforeAll(async () => {
  // The store writes the number of waiting things into the page's title.
  Object.assign(globalThis, { document: { title: '' } })
  startBridge({
    call: (name) => Promise.resolve(answers.get(name) ?? failure),
    subscribe(listener) {
      heard.push(listener)
      return () => undefined
    },
  })
  followDesk()
  answers.set('desk.state', { ok: true, value: { revision: 1, counts, hosts: [] } })
  answers.set('inbox.window', { ok: true, value: { total: 0, sections: [], rows: [] } })
  await loadDesk()
})
const failure: IpcAnswer = { ok: false, error: { code: 'internal', message: 'No.' } }

describe('what was asked for ahead', () => {
  it('is there once, for the same question only', async () => {
    await askAhead('inbox.window', FIRST_WINDOW)
    expect(takeAhead('inbox.window', { offset: 100, limit: 100 })).toBeUndefined()
    expect(takeAhead('inbox.window', FIRST_WINDOW)?.answer.total).toBe(0)
    expect(takeAhead('inbox.window', FIRST_WINDOW)).toBeUndefined()
  })

  it('is not used after a change of the desk', async () => {
    await askAhead('inbox.window', FIRST_WINDOW)
    tellChange(2)
    expect(takeAhead('inbox.window', FIRST_WINDOW)).toBeUndefined()
    await askAhead('inbox.window', FIRST_WINDOW)
    const taken = takeAhead('inbox.window', FIRST_WINDOW)
    expect(taken?.isFresh()).toBe(true)
    tellChange(3)
    expect(taken?.isFresh()).toBe(false)
  })

  it('is nothing when the call failed, and nobody is told', async () => {
    answers.set('inbox.window', failure)
    await askAhead('inbox.window', FIRST_WINDOW)
    expect(takeAhead('inbox.window', FIRST_WINDOW)).toBeUndefined()
  })
})
