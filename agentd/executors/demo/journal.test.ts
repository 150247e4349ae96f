import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import type { ExecutorFact } from '../adapter.ts'
import { createFactQueue } from './fact-queue.ts'
import { createDeliveryLog, createJournal, readJournal } from './journal.ts'
import { createLineReader } from './protocol.ts'
import { until } from '../../../tests/support/until.ts'

const fact = (text: string): ExecutorFact => ({ type: 'progress', kind: 'text', text })

describe('the journal', () => {
  it('numbers facts from 1 and goes on counting when it is opened again', async () => {
    const path = join(await tempDirForTest(), 'journal.jsonl')
    const journal = createJournal(path)
    expect([journal.append(fact('a')).n, journal.append(fact('b')).n, journal.next()]).toEqual([1, 2, 3])
    expect(createJournal(path).append(fact('c')).n).toBe(3)
    expect(readJournal(path, 1).map(({ n }) => n)).toEqual([2, 3])
  })

  it('leaves out a line that was not finished', async () => {
    const path = join(await tempDirForTest(), 'journal.jsonl')
    createJournal(path).append(fact('a'))
    await appendFile(path, '{"n":2,"fact":{"type":"pro')
    expect(readJournal(path, 0)).toHaveLength(1)
  })

  it('remembers deliveries across a restart', async () => {
    const path = join(await tempDirForTest(), 'deliveries.jsonl')
    createDeliveryLog(path).accept({ deliveryId: 5, kind: 'prompt' })
    expect([createDeliveryLog(path).has(5), createDeliveryLog(path).has(6)]).toEqual([true, false])
    expect(await readFile(path, 'utf8')).toBe('{"deliveryId":5,"kind":"prompt"}\n')
  })
})

describe('the fact queue', () => {
  function queueOf(report: (fact: ExecutorFact) => void) {
    let kept: Record<string, unknown> = { other: 1 }
    const failures: unknown[] = []
    const state = { get: () => kept, set: (value: Record<string, unknown>) => void (kept = value) }
    const queue = createFactQueue({ report, state, onFailure: (error) => void failures.push(error) })
    return { queue, failures, kept: () => kept }
  }

  it('reports each number once, and keeps how far it came beside what else is kept', async () => {
    const seen: ExecutorFact[] = []
    const { queue, kept } = queueOf((one) => void seen.push(one))
    for (const n of [1, 2, 2, 1, 3]) queue.push({ n, fact: fact(String(n)) })
    expect(queue.known()).toBe(3)
    await until('three facts', () => seen.length === 3)
    expect(kept()).toEqual({ other: 1, reported: 3 })
  })

  it('lets other work run between facts that take long', async () => {
    const { queue } = queueOf(() => {
      const endMs = performance.now() + 5
      while (performance.now() < endMs);
    })
    for (let n = 1; n <= 50; n += 1) queue.push({ n, fact: fact('slow') })
    let turns = 0
    await until(
      'the last one',
      () => {
        turns += 1
        return queue.reported() === 50
      },
      { intervalMs: 0 },
    )
    expect(turns).toBeGreaterThan(5)
  })

  it('does not count a fact that could not be reported', async () => {
    let broken = true
    const seen: ExecutorFact[] = []
    const { queue, failures } = queueOf((one) => {
      if (broken && one.type === 'progress' && one.text === '2') throw new Error('disk full')
      seen.push(one)
    })
    for (const n of [1, 2, 3]) queue.push({ n, fact: fact(String(n)) })
    await until('the failure', () => failures.length === 1)
    expect([queue.reported(), queue.known(), seen.length]).toEqual([1, 1, 1])
    broken = false
    for (const n of [2, 3]) queue.push({ n, fact: fact(String(n)) })
    queue.drain()
    expect(seen).toHaveLength(3)
  })
})

describe('createLineReader', () => {
  it('puts pieces together and refuses an endless line', () => {
    const lines: string[] = []
    const read = createLineReader((line) => void lines.push(line), 10)
    for (const piece of ['a', 'b\nc', '\n\nd', '\n']) read(piece)
    expect(lines).toEqual(['ab', 'c', 'd'])
    expect(() => read('x'.repeat(11))).toThrow('too long')
  })
})
