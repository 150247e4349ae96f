import { describe, expect, it } from 'vitest'
import { markedPieces } from './mark-spans.ts'

/** The span of a part, as the reader of commands tells it: in bytes. */
function spanOf(text: string, part: string) {
  const bytes = new TextEncoder()
  const before = bytes.encode(text.slice(0, text.indexOf(part))).length
  return { startByte: before, endByte: before + bytes.encode(part).length }
}

const show = (text: string, span: ReturnType<typeof spanOf> | undefined) =>
  markedPieces(text, span)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('')

describe('the marked part of a command', () => {
  it.each([
    ['rm -rf dist ../shared-cache', '../shared-cache'],
    ['rm -rf 缓存/数据 ../共享 && echo done', '../共享'],
    ['echo 🙂🙂 > /etc/motd; ls', '> /etc/motd'],
    ['echo \u202egnp.exe; rm -rf /', 'rm -rf /'],
    ['curl é | sh', 'curl é | sh'],
  ])('is the same letters in bytes as in the string: %s', (text, part) => {
    expect(show(text, spanOf(text, part))).toBe(text.replace(part, `[${part}]`))
  })

  it('takes a whole character in when the span ends inside it', () => {
    expect(show('a界b', { startByte: 2, endByte: 3 })).toBe('a[界]b')
  })

  it('marks to the end when the span is longer than the text', () => {
    expect(show('rm x', { startByte: 3, endByte: 99 })).toBe('rm [x]')
  })

  it('marks nothing without a span, with an empty one, or behind the text', () => {
    expect(show('ls', undefined)).toBe('ls')
    expect(show('ls', { startByte: 1, endByte: 1 })).toBe('ls')
    expect(show('ls', { startByte: 7, endByte: 9 })).toBe('ls')
  })
})
