import { describe, expect, it } from 'vitest'
import { isSeveralLines, withoutControls } from './pasted.ts'

describe('what is pasted', () => {
  it.each([
    ['the end of pasted text', 'safe\x1b[201~\rrm -rf ~\r', 'safe[201~\rrm -rf ~\r'],
    ['the same with eight bits', 'safe\x9b201~\r', 'safe201~\r'],
    ['keys', '\x03\x04\x1a\x7f\x15ls', 'ls'],
  ])('is without %s', (_what, text, pasted) => {
    expect(withoutControls(text)).toBe(pasted)
  })

  it('is otherwise as it was copied', () => {
    const text = 'if x:\r\n\ty = "é 漢字 👩‍👩‍👧 \u00a0\u200d"\n'
    expect(withoutControls(text)).toBe(text)
  })

  it('is several lines with a line end before something, not with one at the end', () => {
    expect(['a\nb', 'a\rb', 'a\r\nb\n', 'a\n\n'].map(isSeveralLines)).toEqual([true, true, true, true])
    expect(['a', 'a\n', 'a\r', 'a\r\n', ''].map(isSeveralLines)).toEqual([false, false, false, false, false])
  })
})
