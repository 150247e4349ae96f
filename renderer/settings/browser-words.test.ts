import { expect, it } from 'vitest'
import { browserWords } from './browser-words.ts'

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'Chrome · Linux',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox · macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 Version/20.0 Safari/604.1',
    'Safari · iOS',
  ],
  ['curl/8.7', 'curl/8.7'],
  ['', ''],
])('%s', (agent, words) => {
  expect(browserWords(agent)).toBe(words)
})
