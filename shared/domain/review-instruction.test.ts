import { describe, expect, it } from 'vitest'
import { compileInstruction, type ReviewComment } from './review-instruction.ts'

const comment = (change: Partial<ReviewComment>): ReviewComment => ({
  path: 'src/a.ts',
  side: 'new',
  fromLine: 3,
  toLine: 3,
  quote: ['  return 1'],
  text: 'Return the count.',
  ...change,
})

describe('compileInstruction', () => {
  it('names the place, quotes what stands there, and says what to do', () => {
    expect(compileInstruction([comment({})], '')).toBe(
      'There is one comment on your changes. Please address it:\n\n`src/a.ts`, line 3:\n>   return 1\n\nReturn the count.',
    )
  })

  it('begins with the general instruction and numbers several comments by file and line', () => {
    const text = compileInstruction(
      [
        comment({ path: 'src/b.ts', text: 'third' }),
        comment({ fromLine: 9, toLine: 11, text: 'second' }),
        comment({ side: 'old', fromLine: 2, toLine: 2, text: 'first' }),
      ],
      ' Keep it small. ',
    )
    expect(text.startsWith('Keep it small.\n\nThere are 3 comments')).toBe(true)
    expect(text.match(/^\d\. .*$/gm)).toEqual([
      '1. `src/a.ts`, removed line 2:',
      '2. `src/a.ts`, lines 9–11:',
      '3. `src/b.ts`, line 3:',
    ])
  })

  it('quotes long ranges in part', () => {
    const text = compileInstruction(
      [comment({ quote: Array.from({ length: 40 }, (_, at) => `line ${at}`) })],
      '',
    )
    expect(text).toContain('> … 28 more lines')
    expect(text).not.toContain('line 12')
  })

  it('is empty when there is nothing to say', () => expect(compileInstruction([], '  ')).toBe(''))
})
