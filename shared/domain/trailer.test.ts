import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { branchSchema } from './task.ts'
import { questionAskSchema } from './ticket.ts'
import { readTrailer, trailerInstructions, type Trailer } from './trailer.ts'

const ask = (text: string, change: Partial<Extract<Trailer, { kind: 'ask' }>> = {}): Trailer => ({
  kind: 'ask',
  text,
  options: [],
  topic: 'technical',
  multiple: false,
  ...change,
})
const finished: Trailer = { kind: 'done', branch: 'handoff/x', commit: 'abc1234', summary: 'Did it.' }
const line = '{"branch": "handoff/x", "commit": "abc1234", "summary": "Did it."}'

describe('readTrailer', () => {
  it.each<[string, string, Trailer]>([
    ['on the last line', `All good.\n${line}`, finished],
    ['on the same line as prose', `All good. ${line}`, finished],
    ['before blank lines', `${line}\n\n  \n`, finished],
    ['in a code fence', `Done:\n\`\`\`json\n${line}\n\`\`\`\n`, finished],
    ['in backticks with a full stop', `Done: \`${line}\`.`, finished],
    ['before a few words', `${line}\nLet me know if you need anything else :}`, finished],
    [
      'spread over several lines',
      '{\n  "branch": "handoff/x",\n  "commit": "abc1234",\n  "summary": "Did it."\n}',
      finished,
    ],
    ['with a comma too many', '{"branch":"handoff/x","commit":"abc1234","summary":"Did it.",}', finished],
    ['in typographic quotes', '{“branch”: “handoff/x”, “commit”: “abc1234”, “summary”: “Did it.”}', finished],
    ['with surplus fields', line.replace('}', ', "tests": {"passed": 3}, "status": ["ok"]}'), finished],
    ['with an upper-case commit', line.replace('abc1234', 'ABC1234'), finished],
    [
      'without a branch',
      '{"commit":"abc1234","summary":"x"}',
      { kind: 'done', commit: 'abc1234', summary: 'x' },
    ],
    ['without a commit', '{"branch":"b","summary":"x"}', { kind: 'done', branch: 'b', summary: 'x' }],
    [
      'without a summary',
      '{"branch":"b","commit":"abc1234"}',
      { kind: 'done', branch: 'b', commit: 'abc1234', summary: '' },
    ],
    [
      'with claims that cannot be right',
      '{"branch":"-x","commit":"HEAD","summary":"x"}',
      { kind: 'done', summary: 'x' },
    ],
    [
      'with braces and quotes in its text',
      '{"summary":"a {b \\"c\\" }} \\\\"}',
      { kind: 'done', summary: 'a {b "c" }} \\' },
    ],
    ['with raw line breaks in its text', '{"summary":"one\ntwo"}', { kind: 'done', summary: 'one\ntwo' }],
    ['as the last of several', `{"ask":"first?"}\n${line}`, finished],
    ['before other JSON', `{"ask":"first?"}\n{"exit": 0}`, ask('first?')],
    ['as a question', '{"ask": "Which port?"}', ask('Which port?')],
    ['as several questions', '{"ask": ["One?", "Two?"]}', ask('One?\nTwo?')],
    [
      'as a question with everything',
      '{"ask":"Which?","options":["red",{"label":"blue","description":"calm"},7,"red",{"x":1}],"kind":"Product","multiple":true}',
      ask('Which?', {
        options: [{ label: 'red' }, { label: 'blue', description: 'calm' }, { label: '7' }],
        topic: 'product',
        multiple: true,
      }),
    ],
    ['as a question rather than a result', '{"ask":"Go on?","branch":"b","commit":"abc1234"}', ask('Go on?')],
    ['as a result when the question is empty', '{"ask":"","summary":"x"}', { kind: 'done', summary: 'x' }],
  ])('reads a trailer %s', (_name, text, expected) => {
    expect(readTrailer(text)).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['prose', 'I have finished the work.'],
    ['an object of another kind', 'The config is now {"port": 80}'],
    ['a trailer long before the end', `${line}\n${'That was an example of how I would end. '.repeat(10)}`],
    ['a broken object', '{"ask": "unfinished'],
    ['an array', '["ask"]'],
    ['fields of wrong types', '{"ask": 5, "branch": {}, "commit": [], "summary": null}'],
    ['inherited names', '{"__proto__": {"ask": "sneaky"}, "constructor": 1}'],
  ])('finds none in %s', (_name, text) => {
    expect(readTrailer(text)).toEqual({ kind: 'none' })
  })

  it('keeps within the bounds of a ticket', () => {
    const options = Array.from({ length: 80 }, (_, n) => ({
      label: `${n}${'l'.repeat(900)}`,
      description: 'd'.repeat(3_000),
    }))
    for (const count of [80, 20, 0]) {
      const trailer = readTrailer(
        JSON.stringify({ ask: 'q'.repeat(120_000), options: options.slice(0, count) }),
      )
      if (trailer.kind !== 'ask') continue
      const { text, options: kept, topic, multiple } = trailer
      questionAskSchema.parse({ kind: 'question', text, options: kept, topic, multiple })
    }
    const long = readTrailer(JSON.stringify({ summary: 's'.repeat(50_000) }))
    expect(long.kind === 'done' && long.summary.length).toBe(20_000)
  })

  it('takes time in proportion to the text, whatever the text', () => {
    const hostile = ['{"a":', '}', '"\\', '{"', '{"ask":"\\u', '`', ' }', '\n', '{}', '“', '],', ', }']
    for (const piece of hostile) {
      const startedAt = performance.now()
      for (const end of ['', '}', '"}', ']}']) readTrailer(piece.repeat(100_000) + end)
      // A quadratic reader needs minutes for this.
      expect(performance.now() - startedAt, piece).toBeLessThan(8_000)
    }
  })
})

describe('any text', () => {
  const snippets = fc.constantFrom(
    '{',
    '}',
    '"',
    '\\',
    '[',
    ']',
    ',',
    ':',
    '\n',
    '```',
    '“',
    '”',
    '{"ask":',
    '"summary"',
    '\ud800',
    'a',
  )
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(snippets).map((parts) => parts.join('')),
  )
  const prose = noise.map((text) => text.slice(0, 2_000))

  it('never makes the reader throw', () => {
    fc.assert(
      fc.property(noise, (text) => {
        expect(['ask', 'done', 'none']).toContain(readTrailer(text).kind)
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not hide a well-formed result that stands on the last line', () => {
    const words = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && text !== '')
    const commit = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 })
    const branch = fc
      .string({ minLength: 1, maxLength: 60 })
      .filter((text) => branchSchema.safeParse(text).success)
    fc.assert(
      fc.property(prose, branch, commit, words, (before, name, sha, summary) => {
        const trailer = { branch: name, commit: sha, summary }
        expect(readTrailer(`${before}\n${JSON.stringify(trailer)}\n`)).toEqual({ kind: 'done', ...trailer })
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not hide a well-formed question either, spread out or fenced', () => {
    const words = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && text !== '')
    fc.assert(
      fc.property(prose, words, fc.uniqueArray(words, { maxLength: 5 }), (before, text, labels) => {
        const json = JSON.stringify({ ask: text, options: labels, kind: 'product' }, null, 2)
        expect(readTrailer(`${before}\n\`\`\`json\n${json}\n\`\`\`\n`)).toEqual(
          ask(text, { options: labels.map((label) => ({ label })), topic: 'product' }),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('trailerInstructions', () => {
  it('names the branch and shows lines that the reader understands', () => {
    const text = trailerInstructions({ branch: 'handoff/3fa2c0de-x' })
    const examples = text.split('\n').filter((one) => one.startsWith('{'))
    expect(examples.map((example) => readTrailer(example).kind)).toEqual(['done', 'ask'])
    expect(text).toContain('handoff/3fa2c0de-x')
    expect(text.length).toBeLessThan(2_000)
  })
})
