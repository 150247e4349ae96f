import { parseObject } from './tolerant-json.ts'

// A trailer stands at the end; what a model says behind it is short.
const MAX_BEHIND = 200
// Every try costs one walk through the text, so their number is fixed.
const MAX_TRIES = 8

/**
 * The JSON objects that close within the last few words of a text, the last one first; not those inside of others.
 * Linear in the length of the text: an object is found by walking back from its closing brace.
 */
export function* lastObjects(text: string): Generator<Record<string, unknown>> {
  let behind = 0
  let tries = 0
  for (let at = text.length - 1; at >= 0 && behind <= MAX_BEHIND && tries < MAX_TRIES; at--) {
    const char = text[at] as string
    // White space, fences, quotes and punctuation do not count as words.
    if (!/[\s`"'.,;:!?)\]}>*_-]/.test(char)) behind++
    if (char !== '}') continue
    tries++
    const start = openingOf(text, at)
    const object = start === undefined ? undefined : parseObject(text.slice(start, at + 1))
    if (start === undefined || !object) continue
    yield object
    behind += at - start
    at = start
  }
}

/** Where the object that closes at `end` opens, if its braces and quotes are balanced. */
function openingOf(text: string, end: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = end; at >= 0; at--) {
    const char = text[at]
    if (char === '"') {
      const slashes = backslashesBefore(text, at)
      if (slashes % 2 === 0) inString = !inString
      at -= slashes
    } else if (!inString && char === '}') depth++
    else if (!inString && char === '{' && --depth === 0) return at
  }
  return undefined
}

function backslashesBefore(text: string, at: number): number {
  let count = 0
  while (text[at - 1 - count] === '\\') count++
  return count
}
