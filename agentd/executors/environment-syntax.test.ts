import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors.ts'
import { parseEnvironment } from './environment-syntax.ts'

function parse(text: string, base: Record<string, string> = {}): Record<string, string> {
  return parseEnvironment({ text, path: '/home/ann/.handoff/env/all.env', base })
}

function refusal(text: string): AppError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('The text was accepted.')
}

describe('parseEnvironment', () => {
  it.each([
    ['A=1', { A: '1' }],
    ['export A=1\n', { A: '1' }],
    ['  A=1  # a comment', { A: '1' }],
    ['A=x#y', { A: 'x#y' }],
    ['A=', { A: '' }],
    ['A=# nothing', { A: '' }],
    ['# only\n\n   # comments\n', {}],
    ["A='single ${NOT} \\n # kept' # comment", { A: 'single ${NOT} \\n # kept' }],
    ['A="tab\\t line\\n quote\\" dollar\\$ back\\\\"', { A: 'tab\t line\n quote" dollar$ back\\' }],
    ['A="first\nsecond"\nB=2', { A: 'first\nsecond', B: '2' }],
    ['\uFEFFA=1\r\nB="x"\r\n', { A: '1', B: 'x' }],
    ['A=1\nA=2', { A: '2' }],
    ['KEY=a=b==', { KEY: 'a=b==' }],
    ['A=two words', { A: 'two words' }],
    ['PATH=/opt/bin:${PATH}', { PATH: '/opt/bin:/usr/bin' }],
    ['A=1\nB="${A}${A}"\nC=${B}', { A: '1', B: '11', C: '11' }],
    [
      '__proto__=x\nB=${__proto__}',
      Object.fromEntries([
        ['__proto__', 'x'],
        ['B', 'x'],
      ]),
    ],
  ])('reads %j', (text, expected) => {
    expect(parse(text, { PATH: '/usr/bin' })).toEqual(expected)
  })

  it('replaces a variable once and does not look into what it puts there', () => {
    expect(parse("A='${B}'\nC=${A}", { B: 'secret' })).toMatchObject({ C: '${B}' })
  })

  it.each([
    ['A=1\nnonsense hunter2', 2],
    ['1A=hunter2', 1],
    ['A B=hunter2', 1],
    ["A='hunter2", 1],
    ['# one\nA="hunter2\n\n\n', 2],
    ['A="hunter2" hunter2', 1],
    ['A=hun"ter2"', 1],
    ['A="\\q hunter2"', 1],
    ['A=${hunter2', 1],
    ['A=hunter2${UNSET}', 1],
    ['A="${hunter2 x}"', 1],
    ['A=${constructor}', 1],
    ['HANDOFF_TASK=hunter2', 1],
    ['TMUX=hunter2', 1],
    ['A=hunter2\0', 1],
  ])('refuses %j with the line and without the value', (text, line) => {
    const error = refusal(text)
    expect(error.code).toBe('environment_file')
    expect(error.details).toEqual({ path: '/home/ann/.handoff/env/all.env', line })
    expect(error.message).toContain(`line ${line}`)
    expect(`${error.message}${error.hint ?? ''}`).not.toContain('hunter2')
  })

  it('names a variable that is not set, and repeats nothing that could be a value', () => {
    expect(refusal('A=${GITHUB_TOKEN}').message).toContain('${GITHUB_TOKEN}')
    expect(refusal('A=${s3cr3t}').message).not.toContain('s3cr3t')
  })

  it('gives back every value that is written in single or double quotes', () => {
    const escape = (value: string) => value.replace(/[\\"$]/g, (char) => `\\${char}`).replaceAll('\r', '\\r')
    const anyValue = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(parse(`A="${escape(value)}"`)).toEqual({ A: value })
        if (!/['\n\r]/.test(value)) expect(parse(`A='${value}'`)).toEqual({ A: value })
      }),
    )
  })
})
