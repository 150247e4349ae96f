import { expect, it } from 'vitest'
import { clockTime, fullTime, possibleTime } from './time.ts'

it.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 8.64e15 + 1, -1, 0])(
  'shows the time %d of a host whose clock is mad',
  (at) => {
    expect(fullTime(at, 'en')).not.toBe('')
    expect(clockTime(at, 1_700_000_000_000, 'zh')).not.toBe('')
    expect(new Date(possibleTime(at)).toISOString()).toMatch(/Z$/)
  },
)
