import { expect, it } from 'vitest'
import { displayWidth } from '../../shared/domain/text-width.ts'
import { wrap, wrapPath } from './wrap.ts'

it('wraps at spaces, and inside of words that are too long, losing nothing', () => {
  const lines = wrap(`one two ${'x'.repeat(30)} 深色模式深色模式深色模式`, 12)
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(12)
  expect(lines.join('').replace(/ /g, '')).toBe(`onetwo${'x'.repeat(30)}深色模式深色模式深色模式`)
})

it('breaks a PATH only after its colons, and keeps a folder that is longer than a line', () => {
  const long = `/opt/${'x'.repeat(30)}`
  expect(wrapPath(`/usr/bin:/bin:${long}:/sbin`, 14)).toEqual(['/usr/bin:/bin:', `${long}:`, '/sbin'])
})
