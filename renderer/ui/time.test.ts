import { expect, it } from 'vitest'
import { clockTime, fullTime, possibleTime, shortTime } from './time.ts'

it.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 8.64e15 + 1, -1, 0])(
  'shows the time %d of a host whose clock is mad',
  (at) => {
    expect(fullTime(at, 'en')).not.toBe('')
    expect(clockTime(at, 1_700_000_000_000, 'zh')).not.toBe('')
    expect(new Date(possibleTime(at)).toISOString()).toMatch(/Z$/)
  },
)

it.each(['en', 'zh'])('writes the time of day alike everywhere in %s', (language) => {
  const at = new Date(2026, 0, 2, 18, 5).getTime()
  expect(clockTime(at, at, language)).toBe('18:05')
  expect(shortTime(at, language)).toBe('18:05')
  expect(fullTime(at, language)).toMatch(/ 18:05$/)
})
