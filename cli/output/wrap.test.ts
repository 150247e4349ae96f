import { expect, it } from 'vitest'
import { displayWidth } from '../../shared/domain/text-width.ts'
import { wrap } from './wrap.ts'

it('wraps at spaces, and inside of words that are too long, losing nothing', () => {
  const lines = wrap(`one two ${'x'.repeat(30)} 深色模式深色模式深色模式`, 12)
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(12)
  expect(lines.join('').replace(/ /g, '')).toBe(`onetwo${'x'.repeat(30)}深色模式深色模式深色模式`)
})
