import { expect, it } from 'vitest'
import { usageOf } from './usage.ts'

const report = (text: string, kind = 'usage') => ({
  seq: 1,
  taskId: 't',
  at: 0,
  type: 'progress',
  body: { kind, text },
})

it('adds up what the executor reported', () => {
  const events = [
    report('1200 (+800 cached) tokens in, 90 out, $0.0100'),
    report('300 tokens in, 10 out, $0.0050'),
    report('read a file', 'tool'),
  ]
  expect(usageOf(events)).toEqual({
    tokensIn: 1500,
    tokensCached: 800,
    tokensOut: 100,
    costUsd: 0.015,
  })
})

it('adds nothing for a report that it cannot read', () => {
  const events = [report('some other form'), report('300 tokens in, 10 out')]
  expect(usageOf(events)).toMatchObject({ tokensIn: 300, tokensOut: 10, costUsd: undefined })
})

it('has nothing to say without reports', () => expect(usageOf([report('x', 'text')])).toBeUndefined())
