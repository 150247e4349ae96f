import { describe, expect, it } from 'vitest'
import { splitAtBytes } from './split-at-bytes.ts'

describe('splitAtBytes', () => {
  it('cuts at bytes of the UTF-8 form', () => {
    expect(splitAtBytes('深 rm -rf /', { startByte: 4, endByte: 12 })).toEqual(['深 ', 'rm -rf /', ''])
  })
  it('brings offsets that make no sense into range', () => {
    expect(splitAtBytes('abc', { startByte: 2, endByte: 1 })).toEqual(['ab', '', 'c'])
    expect(splitAtBytes('abc', { startByte: 9, endByte: 99 })).toEqual(['abc', '', ''])
  })
})
