import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../tests/support/until.ts'
import { createChangeFeed, type ChangedTasks } from './changes.ts'

function feed() {
  const told: ChangedTasks[] = []
  const changes = createChangeFeed((tasks) => told.push(tasks))
  onTestFinished(changes.dispose)
  return { told, changes }
}

describe('telling changes', () => {
  it('tells the first at once and gathers what follows', async () => {
    const { told, changes } = feed()
    changes.touch(new Set(['local/1']))
    expect(told).toEqual([['local/1']])
    for (const id of ['2', '3', '2']) changes.touch(new Set([`local/${id}`]))
    changes.touch()
    expect(told).toHaveLength(1)
    await until('the second', () => told.length === 2)
    expect(told[1]).toEqual(['local/2', 'local/3'])
  })

  it('says that everything changed when it is too much to name', async () => {
    const { told, changes } = feed()
    changes.touch()
    changes.touch(new Set(Array.from({ length: 501 }, (_, index) => `local/${index}`)))
    changes.touch(new Set(['local/x']))
    await until('the second', () => told.length === 2)
    expect(told).toEqual([[], 'all'])
  })

  it('tells a thousand changes in one second no more than about twenty times', async () => {
    const { told, changes } = feed()
    const startedAt = performance.now()
    let count = 0
    await until(
      'a while',
      () => {
        changes.touch(new Set([`local/${(count += 1)}`]))
        return performance.now() - startedAt > 500
      },
      { intervalMs: 1 },
    )
    expect(told.length).toBeLessThanOrEqual(12)
    expect(told.length).toBeGreaterThan(2)
  })
})
