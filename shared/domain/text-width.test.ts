import { describe, expect, it } from 'vitest'
import { displayWidth, padEnd, truncate } from './text-width.ts'

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['深色模式', 8],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['한글', 4],
    ['\x1b[31mred\x1b[39m', 3],
    ['✓ done', 6],
    ['ｱ', 1],
    ['🎉', 2],
    ['👍🏽', 2],
    ['', 0],
  ])('measures %j as %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })
})

describe('truncate', () => {
  it('never goes over the room, even when a wide character would straddle its end', () => {
    for (let columns = 1; columns <= 12; columns += 1)
      expect(displayWidth(truncate('给首页加上深色模式 dark mode', columns))).toBeLessThanOrEqual(columns)
  })
  it('leaves text alone that fits, and ends in an ellipsis what does not', () => {
    expect(truncate('深色', 4)).toBe('深色')
    expect(truncate('abcdef', 5)).toBe('abcd…')
  })
})

it('pads by columns, not by characters', () => expect(padEnd('深色', 6)).toBe('深色  '))
