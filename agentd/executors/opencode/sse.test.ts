import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEvent } from './events.ts'
import { createSseParser } from './sse.ts'

function parse(chunks: string[], maxEventChars = 1_000): string[] {
  const found: string[] = []
  const parser = createSseParser({ maxEventChars, onData: (data) => found.push(data) })
  for (const chunk of chunks) parser.push(chunk)
  return found
}

describe('the event stream', () => {
  it('is read the same however it is cut into pieces', () => {
    const text = 'data: {"a":1}\n\n: comment\nevent: x\ndata: one\ndata: two\r\n\r\n'
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length]
        expect(parse(at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual([
          '{"a":1}',
          'one\ntwo',
        ])
      }),
    )
  })

  it('skips an event that is too long and reads on after it', () => {
    expect(parse(['data: ' + 'x'.repeat(50), 'x'.repeat(50), '\n\ndata: ok\n\n'], 60)).toEqual(['ok'])
  })

  it('knows the events it acts on and skips unknown and broken ones', () => {
    expect(parseEvent('{"type":"session.idle","properties":{"sessionID":"ses_1"}}')?.type).toBe(
      'session.idle',
    )
    for (const data of [
      '{',
      '7',
      'null',
      '{"type":"plugin.added","properties":{}}',
      '{"type":"session.idle","properties":{"sessionID":5}}',
    ])
      expect(parseEvent(data)).toBeUndefined()
  })
})
