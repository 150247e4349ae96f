import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { permission, question } from '../../tests/support/sample-facts.ts'
import type { Ask } from '../domain/ticket.ts'
import { askDigest } from './ask-digest.ts'

const digestOf = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
const odd = 'e\u0301 \ud800 \0 \r\n \u2028'
const options = [{ label: odd, description: '' }, { label: 'two' }]
const ask: Ask = { ...permission(), text: odd }
const choice: Ask = { ...question(), text: odd, options, multiple: true }

/** Hosts, desks and answers that wait in `desk.db` may each be of another version. */
it.each([
  ['a permission', ask, ['permission', odd, '']],
  ['an edit', { ...ask, diff: '-a\r\n+b\0' }, ['permission', odd, '-a\r\n+b\0']],
  ['a question', choice, ['question', odd, '', options]],
  ['a question without a choice', { ...choice, options: [] }, ['question', odd, '', []]],
  ['a review', { kind: 'review', round: 2, text: odd }, ['review', odd, '', 2]],
] satisfies [string, Ask, unknown[]][])('of %s is made as it always was', (_, of, parts) => {
  expect(askDigest(of)).toBe(digestOf(parts))
})

it('survives the way through JSON, and does not count what only one side knows of a choice', () => {
  const sent: Ask[] = [ask, choice]
  for (const one of sent) expect(askDigest(JSON.parse(JSON.stringify(one)) as Ask)).toBe(askDigest(one))
  const known = [{ preview: 'x', description: '', label: odd }, { label: 'two' }]
  expect(askDigest({ ...choice, options: known } as Ask)).toBe(askDigest(choice))
  expect(askDigest({ ...choice, text: odd.normalize('NFC') })).not.toBe(askDigest(choice))
})
