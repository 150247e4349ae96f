import { describe, expect, it } from 'vitest'
import { isModestPlainData } from './input-size.ts'

describe('what a window may hand over', () => {
  it.each([
    [
      'a call',
      {
        name: 'ticket.answer',
        input: { host: 'local', flag: true, count: 3, none: null, missing: undefined },
      },
    ],
    ['a plan of the largest size', { input: { plan: 'x'.repeat(512 * 1024) } }],
    ['text alone', 'hello'],
    ['nothing', undefined],
  ])('takes %s', (_title, value) => {
    expect(isModestPlainData(value)).toBe(true)
  })

  it.each([
    ['a text above the limit', { input: 'x'.repeat(4 * 1024 * 1024 + 1) }],
    ['many small texts above the limit', Array.from({ length: 50 }, () => 'x'.repeat(100_000))],
    ['a long list', Array.from({ length: 100_001 }, () => 0)],
    ['a huge sparse list', new Array(4_000_000_000)],
    ['long names of fields', { ['x'.repeat(5_000_000)]: 1 }],
    ['a map', { input: new Map() }],
    ['bytes', new Uint8Array(4)],
    ['a date', new Date(0)],
    ['a big integer', { n: 1n }],
    ['a function', { f: () => undefined }],
    ['an object with a class', new (class Odd {})()],
  ])('refuses %s', (_title, value) => {
    expect(isModestPlainData(value)).toBe(false)
  })

  it('refuses what is nested without end', () => {
    const loop: Record<string, unknown> = {}
    loop['loop'] = loop
    expect(isModestPlainData(loop)).toBe(false)
  })
})
