import { describe, expect, it } from 'vitest'
import { createRandom } from '../../tests/support/random.ts'
import { until } from '../../tests/support/until.ts'
import { createBatches } from './batches.ts'

function gather() {
  const sent: string[] = []
  const batches = createBatches({ send: (batch) => sent.push(batch), now: () => 1_000 })
  return { sent, batches }
}

describe('output in batches', () => {
  it('sends the first piece after a pause at once and gathers what follows', async () => {
    const { sent, batches } = gather()
    batches.add('echo')
    expect(sent).toEqual(['echo'])
    batches.add('one ')
    batches.add('two')
    expect(sent).toEqual(['echo'])
    await until('the second batch', () => sent.length === 2)
    expect(sent[1]).toBe('one two')
  })

  it('sends what is gathered when it is asked to', () => {
    const { sent, batches } = gather()
    batches.add('a')
    batches.add('b')
    batches.flush()
    batches.flush()
    expect(sent).toEqual(['a', 'b'])
  })

  it('cuts at 64 Ki and never inside a character, whatever the pieces are', () => {
    const random = createRandom(7)
    for (let round = 0; round < 20; round += 1) {
      const { sent, batches } = gather()
      let all = ''
      for (let index = 0; index < 40; index += 1) {
        const piece = (random.next() < 0.5 ? 'x' : '') + '😀'.repeat(random.below(9_000))
        all += piece
        batches.add(piece)
      }
      batches.flush()
      expect(sent.join('') === all).toBe(true)
      expect(Math.max(...sent.map((batch) => batch.length))).toBeLessThanOrEqual(64 * 1024)
      expect(sent.some((batch) => /\p{Cs}/u.test(batch))).toBe(false)
    }
  })
})
