import { describe, expect, it } from 'vitest'
import { createRandom } from '../../tests/support/random.ts'
import { until } from '../../tests/support/until.ts'
import { createBatches } from './batches.ts'

const KI = 1024

function gather() {
  const sent: { data: Uint8Array; chars: number }[] = []
  const batches = createBatches({ send: (data, chars) => sent.push({ data, chars }), now: () => 1_000 })
  return {
    sent,
    batches,
    texts: () => sent.map(({ data }) => Buffer.from(data).toString()),
    bytes: () => Buffer.concat(sent.map(({ data }) => data)),
  }
}

describe('output in batches', () => {
  it('sends the first piece after a pause at once and gathers what follows', async () => {
    const { texts, batches } = gather()
    batches.add(Buffer.from('echo'))
    expect(texts()).toEqual(['echo'])
    batches.add(Buffer.from('one '))
    batches.add(Buffer.from('two'))
    expect(texts()).toEqual(['echo'])
    await until('the second batch', () => texts().length === 2)
    expect(texts()[1]).toBe('one two')
  })

  it('sends what is gathered when it is asked to', () => {
    const { texts, batches } = gather()
    batches.add(Buffer.from('a'))
    batches.add(Buffer.from('b'))
    batches.flush()
    batches.flush()
    expect(texts()).toEqual(['a', 'b'])
  })

  it('cuts at 64 KiB and never inside a character, wherever the pieces are cut', () => {
    const random = createRandom(7)
    const letters = ['x', 'é', '漢', '😀']
    for (let round = 0; round < 20; round += 1) {
      const { sent, batches, texts, bytes } = gather()
      const text = Array.from({ length: 40 }, () =>
        (letters[random.below(4)] ?? '').repeat(random.below(9_000)),
      ).join('')
      const all = Buffer.from(text)
      for (let at = 0; at < all.length;) {
        const size = 1 + random.below(random.next() < 0.5 ? 8 : 70 * KI)
        batches.add(all.subarray(at, at + size))
        at += size
      }
      batches.end()
      expect(bytes().equals(all)).toBe(true)
      expect(sent.map(({ chars }) => chars)).toEqual(texts().map((one) => one.length))
      expect(Math.max(...sent.map(({ data }) => data.length))).toBeLessThanOrEqual(64 * KI)
      expect(texts().some((one) => one.includes('\ufffd'))).toBe(false)
    }
  })

  it('fills its batches in a flood', () => {
    const { sent, batches } = gather()
    for (let index = 0; index < 200; index += 1) batches.add(Buffer.alloc(4_095, 'z'))
    expect(sent.slice(1).length).toBeGreaterThan(10)
    expect(sent.slice(1).every(({ data }) => data.length > 60 * KI)).toBe(true)
  })

  it('keeps the beginning of a character until the rest is there, and tells of it when nothing follows', () => {
    const { texts, batches } = gather()
    const [first = 0, ...rest] = Buffer.from('漢')
    batches.add(Buffer.from([first]))
    batches.flush()
    expect(texts()).toEqual([])
    batches.add(Buffer.from([...rest, first]))
    batches.flush()
    expect(texts()).toEqual(['漢'])
    batches.end()
    expect(texts()).toEqual(['漢', '\ufffd'])
  })

  it('makes text of what is none as a decoder of the whole would, and counts it', () => {
    const random = createRandom(11)
    const { sent, batches, texts } = gather()
    const noise = Buffer.from(Array.from({ length: 200 * KI }, () => random.below(256)))
    const all = Buffer.concat([noise, Buffer.from('text'), Buffer.alloc(100 * KI, 0x80)])
    for (let at = 0; at < all.length;) {
      const size = 1 + random.below(10 * KI)
      batches.add(all.subarray(at, at + size))
      at += size
    }
    batches.end()
    expect(texts().join('') === all.toString()).toBe(true)
    expect(sent.map(({ chars }) => chars)).toEqual(texts().map((one) => one.length))
    expect(Math.max(...sent.map(({ chars }) => chars))).toBeLessThanOrEqual(64 * KI)
  })

  it('gives each batch memory of its own, since what is sent to another process is copied whole', () => {
    const { sent, batches } = gather()
    batches.add(Buffer.from('small'))
    batches.add(Buffer.alloc(150 * KI, 'y'))
    batches.end()
    expect(sent.length).toBeGreaterThan(3)
    expect(sent.every(({ data }) => data.buffer.byteLength === data.length)).toBe(true)
  })
})
