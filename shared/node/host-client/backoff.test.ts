import { expect, it } from 'vitest'
import { backoffMs, defaultBackoff } from './backoff.ts'

it('doubles from 0.2 s to 30 s and spreads over the upper half', () => {
  const waits = (random: number) =>
    [0, 1, 2, 7, 8, 1_000].map((attempt) => backoffMs(attempt, defaultBackoff, () => random))
  expect(waits(1)).toEqual([200, 400, 800, 25_600, 30_000, 30_000])
  expect(waits(0)).toEqual([100, 200, 400, 12_800, 15_000, 15_000])
  expect(waits(0.123456).every(Number.isInteger)).toBe(true)
})
