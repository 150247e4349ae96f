import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEnginePlace, reviewer, type EnginePlace } from '../../tests/support/engine.ts'
import { createPuppet, type Puppet } from '../../tests/support/puppet-executor.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { resolveTicket } from './resolve.ts'

let place: EnginePlace
let puppet: Puppet

beforeEach(async () => {
  puppet = createPuppet()
  place = await createEnginePlace({ puppet })
})
afterEach(() => place.dispose())

const DANGEROUS = 'sudo rm -rf /'

/** A wait that can be looked at without waiting: `settled` is what it answered so far. */
function wait(
  consumer: string,
  { tasks = [] as string[], role = 'reviewer' as const, until = 'wake' as const } = {},
) {
  const abort = new AbortController()
  const state: { settled?: CallOutput<'wait.next'>; error?: unknown } = {}
  const answer = place.engine().wait.next({ consumer, role, tasks, until, signal: abort.signal })
  const done = answer.then(
    (value) => void (state.settled = value),
    (error: unknown) => void (state.error = error),
  )
  return { state, answer, done, abort: () => abort.abort() }
}

/** Lets promises that are ready settle. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('wait', () => {
  it('gives the same event again until it is acknowledged, and to every wait', async () => {
    const task = await place.running()
    const [first, second] = [wait('a'), wait('a')]
    puppet.ask(task.id, 'p1')
    const one = await first.answer
    expect((await second.answer).event.seq).toBe(one.event.seq)
    // The first was killed before it printed: the next one gets it.
    expect((await wait('a').answer).event.seq).toBe(one.event.seq)
    place.engine().wait.acknowledge('a', one.event.seq, task.id)
    const later = wait('a')
    await turn()
    expect(later.state.settled).toBeUndefined()
    later.abort()
    await later.done
    expect(later.state.error).toMatchObject({ code: 'cancelled' })
    // Another consumer has a cursor of its own.
    expect((await wait('b').answer).event.seq).toBe(one.event.seq)
  })

  it('passes over what was answered meanwhile', async () => {
    const task = await place.running()
    puppet.ask(task.id, 'p1')
    puppet.ask(task.id, 'p2', 'pwd')
    place.engine().answers.answer(resolveTicket(place.store, `${task.id}:p1`), { kind: 'approve' }, reviewer)
    expect((await wait('a').answer).event.body).toMatchObject({ ask: { text: 'pwd' } })
  })

  it('leaves a ticket of the person alone while the person is connected, and tells of it when they leave', async () => {
    const task = await place.running()
    place.setPerson(true)
    const waiting = wait('a')
    puppet.ask(task.id, 'p1', DANGEROUS)
    puppet.ask(task.id, 'p2', 'ls')
    const other = await waiting.answer
    expect(other.event.body).toMatchObject({ ask: { text: 'ls' } })
    place.engine().wait.acknowledge('a', other.event.seq, task.id)
    const next = wait('a')
    await turn()
    expect(next.state.settled).toBeUndefined()
    place.setPerson(false)
    expect(await next.answer).toMatchObject({
      audience: 'user',
      event: { body: { ask: { text: DANGEROUS } } },
    })
    place.engine().wait.acknowledge('a', (await next.answer).event.seq, task.id)
    const after = wait('a')
    await turn()
    expect(after.state.settled).toBeUndefined()
    after.abort()
    await after.done
  })

  it('keeps the cursors of tasks apart', async () => {
    const [one, two] = [await place.running(), await place.running()]
    puppet.ask(one.id, 'p1')
    puppet.ask(two.id, 'p2')
    const second = await wait('a', { tasks: [two.id] }).answer
    place.engine().wait.acknowledge('a', second.event.seq, two.id)
    expect((await wait('a').answer).event.taskId).toBe(one.id)
  })

  it('does not wake whoever cancelled the task, and tells everybody else', async () => {
    const task = await place.running()
    const mine = wait(reviewer.clientId)
    const other = wait('b')
    await place.engine().acts.cancel(task, { why: undefined, by: reviewer, remember: () => undefined })
    expect((await other.answer).event.type).toBe('cancelled')
    await turn()
    expect(mine.state.settled).toBeUndefined()
    mine.abort()
    await mine.done
    // A wait that names a task that is over gets its last word instead of waiting for ever.
    expect((await wait(reviewer.clientId, { tasks: [task.id] }).answer).event.type).toBe('cancelled')
  })

  it('is silent until the task is over when asked to, and moves no cursor', async () => {
    const task = await place.running()
    const waiting = wait('a', { tasks: [task.id], until: 'over' as never })
    puppet.ask(task.id, 'p1')
    await turn()
    expect(waiting.state.settled).toBeUndefined()
    await place.engine().acts.cancel(task, { why: 'enough', by: reviewer, remember: () => undefined })
    expect((await waiting.answer).event.type).toBe('cancelled')
    expect(place.store.cursors.get('a')).toBeUndefined()
  })

  it('walks a long history of decided tickets once, not at every event', async () => {
    const [task, other] = [await place.running(), await place.running()]
    place.facts.transaction(() => {
      for (let n = 0; n < 1_000; n++) {
        puppet.ask(task.id, `p${n}`)
        const ticketId = `${task.id}:p${n}`
        place.facts.apply(task.id, { type: 'request_gone', ticketId, reason: 'answered elsewhere' })
      }
    })
    let read = 0
    const { waking } = place.store.events
    place.store.events.waking = (...args) => {
      const rows = waking(...args)
      read += rows.length
      return rows
    }
    const waits = [wait('a', { tasks: [task.id] }), wait('a', { tasks: [task.id, other.id] }), wait('a')]
    expect(read).toBeGreaterThanOrEqual(1_000)
    read = 0
    puppet.ask(other.id, 'now')
    expect((await waits[1]?.answer)?.event.taskId).toBe(other.id)
    expect((await waits[2]?.answer)?.event.taskId).toBe(other.id)
    expect(read).toBeLessThan(20)
    waits[0]?.abort()
    await waits[0]?.done
  })
})
