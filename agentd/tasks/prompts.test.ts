import { expect, it } from 'vitest'
import type { Answer } from '../../shared/domain/ticket.ts'
import { sampleTask, sampleTicket } from '../../tests/support/sample-facts.ts'
import { answerPrompt } from './prompts.ts'

it.each<[string, Answer, RegExp]>([
  ['an answer', { kind: 'text', text: 'blue' }, /^You asked: Which\?\n\nThe answer: blue\n\n/],
  ['chosen options', { kind: 'options', labels: ['red'] }, /^You asked: Which\?\n\nThe answer: red\n\n/],
  ['a denial that lets it go on', { kind: 'deny', stop: false, message: 'Your call.' }, /Your call\.\nGo on/],
  ['a denial that stops it', { kind: 'deny', stop: true }, /will not be answered\.\nStop here/],
])('tells the executor %s to a question that ended its turn', (_, answer, expected) => {
  expect(answerPrompt(sampleTask(), sampleTicket(), answer)).toMatch(expected)
})
