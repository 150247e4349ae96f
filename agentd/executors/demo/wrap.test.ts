import fc from 'fast-check'
import { expect, it } from 'vitest'
import { displayWidth } from '../../../shared/domain/text-width.ts'
import { wrapText } from './wrap.ts'

it('breaks at spaces, and inside of words only when it must', () => {
  expect(wrapText('one two three', 8)).toEqual(['one two', 'three'])
  expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  expect(wrapText('- [ ] 添加问候语', 10)).toEqual(['- [ ] 添加', '问候语'])
  expect(wrapText('a\n\nb', 4)).toEqual(['a', '', 'b'])
})

it('never lets a line grow wider than asked, and loses nothing but spaces and control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 40 }), (text, columns) => {
      const lines = wrapText(text, columns)
      expect(lines.every((line) => displayWidth(line) <= columns)).toBe(true)
      const bare = (value: string) => value.replace(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
      expect(bare(lines.join(''))).toBe(bare(text))
      expect(lines.join('')).not.toMatch(/[\u0000-\u0008\u001B\u009B]/)
    }),
  )
})
