import { expect, it } from 'vitest'
import { plainOutput } from './plain-output.ts'

it.each([
  ['colours go', '\x1b[32m✓\x1b[0m passes', '✓ passes'],
  ['titles and links go', '\x1b]0;title\x07a\x1b]8;;https://x\x1b\\b', 'ab'],
  ['an overwritten line shows how it ended', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['line ends of other systems are line ends', 'a\r\nb\r\n', 'a\nb\n'],
  ['control characters go', 'a\x07\x08b\tc', 'ab\tc'],
])('%s', (_, text, plain) => expect(plainOutput(text)).toBe(plain))

it('keeps an escape that is cut in the middle until the rest has come', () => {
  const first = plainOutput('red \x1b[3')
  expect(plainOutput(`${first}1mword`)).toBe('red word')
})
