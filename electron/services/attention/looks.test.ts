import { expect, it, onTestFinished } from 'vitest'
import { until } from '../../../tests/support/until.ts'
import { createLooks } from './looks.ts'

it('looks again long before the planned time, since the clock may be set meanwhile', async () => {
  const looked: string[] = []
  const looks = createLooks((depth) => void looked.push(depth), { settleMs: 1, lookEveryMs: 20 })
  onTestFinished(looks.dispose)
  looks.wakeIn(3_600_000)
  await until('the look', () => looked.length > 0)
  expect(looked).toEqual(['all'])
})
