import { describe, expect, it } from 'vitest'
import { continuePrompt } from '../../tasks/prompts.ts'
import { readScript } from './plan.ts'
import { continueStory, instructionOf, planItems, planStory } from './story.ts'

describe('readScript', () => {
  it('finds directives in the middle of prose and of lists', () => {
    const script = readScript(
      '# Plan\r\n\r\ndo it\r\n- demo: ask-permission npm test\r\n  demo: fast\r\ndemo:commit all done\r\n',
    )
    expect(script).toEqual({
      ...{ fast: true, scripted: true },
      steps: [
        { kind: 'permission', commands: [{ command: 'npm test' }] },
        { kind: 'commit', message: 'all done' },
      ],
    })
  })

  it('has nothing to do for prose, and `fast` alone does not make a script', () => {
    expect(readScript('- write a demo: it should be good\ndemo: fast')).toEqual({
      steps: [],
      fast: true,
      scripted: false,
    })
  })

  it.each([
    ['question Which one? [a | b] product', { text: 'Which one?', options: ['a', 'b'], topic: 'product' }],
    ['question Which [odd] one?', { text: 'Which [odd] one?', options: [], topic: 'technical' }],
    ['question Is this a product', { text: 'Is this a', options: [], topic: 'product' }],
    ['question Why? []', { text: 'Why?', options: [], topic: 'technical' }],
  ])('reads "%s"', (line, expected) => {
    expect(readScript(`demo: ${line}`).steps).toEqual([{ kind: 'question', ...expected }])
  })

  it.each([
    ['sleep 250', { kind: 'sleep', ms: 250 }],
    ['sleep soon', { kind: 'sleep', ms: 0 }],
    ['sleep 99999999999', { kind: 'sleep', ms: 600_000 }],
    ['progress -3', { kind: 'progress', count: 0 }],
    ['write src/a.txt one\\ntwo', { kind: 'write', path: 'src/a.txt', text: 'one\ntwo\n' }],
    ['fail-turn no quota', { kind: 'fail-turn', message: 'no quota' }],
    ['setsid-child', { kind: 'setsid-child' }],
  ])('reads "%s"', (line, expected) => {
    expect(readScript(`demo: ${line}`).steps).toEqual([expected])
  })

  it('says that it does not know a directive', () => {
    expect(readScript('demo: dance').steps).toMatchObject([
      { kind: 'say', text: expect.stringContaining('dance') as string },
    ])
  })
})

describe('the default story', () => {
  it('takes list lines of every kind, or else the first sentence', () => {
    expect(planItems('# T\n- one\n* two\n1. three\n2) four\n- [ ] five\n  - [x] six\ntext')).toEqual(
      'one two three four five six'.split(' '),
    )
    expect(planItems('# Title\n\nFix the bug.\nThen rest.')).toEqual(['Fix the bug.'])
    expect(planItems('')).toHaveLength(1)
    expect(planItems('- x\n'.repeat(100))).toHaveLength(12)
  })

  it('writes every item down, asks one question and two permissions, and commits last', () => {
    const steps = planStory({ title: 'T', plan: '- one\n- two', scratch: '/tmp/x/demo/scratch' })
    const asked = steps.flatMap((step) => (step.kind === 'permission' ? step.commands : []))
    expect(asked.map(({ command }) => command)).toEqual([
      'node --test handoff-demo/steps.test.mjs',
      'rm -rf /tmp/x/demo/scratch',
    ])
    expect(steps.filter(({ kind }) => kind === 'question')).toHaveLength(1)
    expect(steps.at(-1)).toEqual({ kind: 'commit', message: 'Demo: T' })
    expect(steps).toContainEqual({ kind: 'append', path: 'HANDOFF_DEMO.md', text: '- [x] two\n' })
  })
})

describe('a further instruction', () => {
  const noted = (instruction: string) =>
    continueStory(instruction).flatMap((step) => (step.kind === 'append' ? step.text.trim().split('\n') : []))

  it('is what stands between the words that agentd puts around it, whatever it looks like itself', () => {
    const text = 'Fix these:\n\n- print {"a": 1}\n\nThen stop.'
    expect(instructionOf(continuePrompt({ branch: 'main' }, text))).toBe(text)
    expect(instructionOf('Only this')).toBe('Only this')
  })

  it('is noted as a whole, bounded, and named by what it wants', () => {
    expect(noted('Two things:\n- trim\n\n> x\n* sort')).toEqual([
      ...['## Another round', '', '- [x] Two things:', '- [x] trim', '  > x', '- [x] sort'],
    ])
    expect(noted('y\n'.repeat(100)).at(-1)).toBe('- … 60 more lines')
    expect(continueStory('`a.ts`, line 3:\n> x\n\nTrim it').at(-1)).toEqual({
      ...{ kind: 'commit', message: 'Demo: Trim it' },
    })
  })
})
