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
    reports: 2,
    tokensIn: 1500,
    tokensCached: 800,
    tokensOut: 100,
    costUsd: 0.015,
    last: '300 tokens in, 10 out, $0.0050',
  })
})

it('counts a report it cannot read, and keeps its words', () => {
  expect(usageOf([report('some other form')])).toMatchObject({
    reports: 1,
    tokensIn: 0,
    last: 'some other form',
  })
})

it('has nothing to say without reports', () => expect(usageOf([report('x', 'text')])).toBeUndefined())
