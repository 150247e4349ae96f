import { expect, it } from 'vitest'
import { minutesOf, timeOf } from './minutes.ts'

it('a time of day goes there and back', () => {
  for (const minutes of [0, 59, 60, 1_350, 1_439]) expect(minutesOf(timeOf(minutes))).toBe(minutes)
})
it.each(['', '7:00', '24:00', 'noon'])('%j is no time of day', (text) =>
  expect(minutesOf(text)).toBeUndefined(),
)
