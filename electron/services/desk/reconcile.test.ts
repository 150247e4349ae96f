import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Task } from '../../../shared/domain/task.ts'
import type { ParsedInput } from '../../../shared/protocol.ts'
import { sampleTask, sampleTicket } from '../../../tests/support/sample-facts.ts'
import { taskId } from '../../../tests/support/sample-store.ts'
import { serversForTest } from '../../../tests/support/servers-for-test.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { openCache } from '../cache/open-cache.ts'
import { reconcileHost } from './reconcile.ts'

const { start, connect } = serversForTest()

const openTask = (n: number, change: Partial<Task> = {}): Task =>
  sampleTask({ id: taskId(n), state: 'running', createdAt: 1_000 + n, lastSeq: n, ...change })

/** A desk's cache, and a host that has these open tasks. */
async function meet(there: readonly Task[]) {
  const cache = openCache({ path: path.join(await tempDirForTest(), 'cache.db') })
  onTestFinished(cache.dispose)
  const newestFirst = there.toSorted((a, b) => b.createdAt - a.createdAt)
  const answers: number[] = []
  const { client } = await start({
    handlers: {
      'task.list': ({ limit, beforeId }: ParsedInput<'task.list'>) => {
        const from = newestFirst.findIndex(({ id }) => id === beforeId) + 1
        const answer = { tasks: newestFirst.slice(from, from + limit), headSeq: 9_999 }
        answers.push(JSON.stringify(answer).length)
        return answer
      },
    },
  })
  const { call } = await connect(client)
  const wanted: string[] = []
  const fetcher = { want: (_: string, id: string) => void wanted.push(id) }
  return { cache, answers, wanted, reconcile: () => reconcileHost({ host: 'box', call, cache, fetcher }) }
}

it('asks for what is missing, older, open here alone, or has another number of open tickets', async () => {
  const there = [openTask(1), openTask(2), openTask(3, { openTickets: 1 }), openTask(4)]
  const { cache, wanted, reconcile } = await meet(there)
  cache.onWelcome('box', 'host-1')
  cache.put('box', openTask(1, { lastSeq: 9 }))
  cache.put('box', openTask(2, { lastSeq: 1 }))
  cache.put('box', openTask(3))
  cache.put('box', openTask(5))
  const ended = openTask(6, { state: 'running' })
  cache.put('box', ended, [sampleTicket({ id: `${ended.id}:per_1`, taskId: ended.id })])
  await reconcile()
  expect([...new Set(wanted)].sort()).toEqual([2, 3, 4, 5, 6].map(taskId))
})

it('reads a host with thousands of open tasks in small answers and short turns', async () => {
  const there = Array.from({ length: 3_000 }, (_, n) => openTask(n + 1, { summary: 'x'.repeat(3_000) }))
  const { cache, answers, wanted, reconcile } = await meet(there)
  cache.onWelcome('box', 'host-1')
  cache.onSnapshot('box', { headSeq: 3_000, tasks: there, tickets: [] })
  let longestMs = 0
  let isOver = false
  let cpu = process.cpuUsage()
  const tick = (): void => {
    const { user, system } = process.cpuUsage(cpu)
    longestMs = Math.max(longestMs, (user + system) / 1_000)
    cpu = process.cpuUsage()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await reconcile()
  isOver = true
  expect(wanted).toEqual([])
  expect(answers).toHaveLength(31)
  expect(Math.max(...answers)).toBeLessThan(1024 * 1024)
  // Host and desk share this thread here, so that it is less in truth.
  expect(longestMs).toBeLessThan(150)
})
