import { describe, expect, it } from 'vitest'
import { planTitle } from './plan-title.ts'

describe('planTitle', () => {
  it.each([
    ['# Dark mode #\n\ntext', 'Dark mode'],
    ['---\ntitle: x\n---\nintro\n\n## 深色模式\n', '深色模式'],
    ['```\n# not this\n```\n# this', 'this'],
    ['just words\nmore', 'just words'],
    ['# a\x1b[31mb', 'a␛[31mb'],
    ['# \n\n', '#'],
  ])('of %j is %j', (plan, title) => expect(planTitle(plan)).toBe(title))
  it('never splits a character and stays within 200', () => {
    const title = planTitle(`# ${'😀'.repeat(150)}`)
    expect(title.length).toBeLessThanOrEqual(200)
    expect(title).toMatch(/^(😀)+$/u)
  })
})
