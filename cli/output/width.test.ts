import { describe, expect, it } from 'vitest'
import { displayWidth, padEnd, truncate, wrap } from './width.ts'

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
  ])('measures %j as %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })
})

describe('truncate', () => {
  it('never goes over the room, even when a wide character would straddle its end', () => {
    for (let columns = 1; columns <= 12; columns += 1)
      expect(displayWidth(truncate('给首页加上深色模式 dark mode', columns))).toBeLessThanOrEqual(columns)
  })
  it('leaves text alone that fits', () => expect(truncate('深色', 4)).toBe('深色'))
})

it('pads by columns, not by characters', () => expect(padEnd('深色', 6)).toBe('深色  '))

it('wraps at spaces, and inside of words that are too long, losing nothing', () => {
  const lines = wrap(`one two ${'x'.repeat(30)} 深色模式深色模式深色模式`, 12)
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(12)
  expect(lines.join('').replace(/ /g, '')).toBe(`onetwo${'x'.repeat(30)}深色模式深色模式深色模式`)
})
