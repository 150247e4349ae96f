/** Texts of one language: by screen, then by whatever path the screen's file has. */
export interface Texts {
  readonly [key: string]: string | Texts
}

/** Values for the places of a text; `count` also chooses the plural. */
export type Values = Readonly<Record<string, string | number>>

const PLACE = /\{\{\s*(\w+)\s*\}\}/g

/**
 * The text of a key in the first of the languages that has it, its `{{places}}` filled; undefined when none has it. A name in
 * Latin letters stands apart from Chinese words around it. With a `count`, `key_one` (for exactly 1) or `key_other` is preferred:
 * English needs no more plurals, and Chinese only the second.
 */
export function textOf(languages: readonly Texts[], key: string, values: Values = {}): string | undefined {
  const { count } = values
  for (const texts of languages) {
    const singular = count === 1 ? textAt(texts, `${key}_one`) : undefined
    const plural = count === undefined ? undefined : textAt(texts, `${key}_other`)
    const text = singular ?? plural ?? textAt(texts, key)
    if (text !== undefined) return filled(text, values)
  }
  return undefined
}

const met = new WeakMap<Texts, Map<string, string>>()

/** Kept once it was found: thousands of lines may be worded in one go, but at the start few of all texts are. */
function textAt(texts: Texts, key: string): string | undefined {
  let known = met.get(texts)
  if (known === undefined) met.set(texts, (known = new Map()))
  const before = known.get(key)
  if (before !== undefined) return before
  let found: string | Texts | undefined = texts
  for (const name of key.split('.'))
    found = typeof found === 'object' && Object.hasOwn(found, name) ? found[name] : undefined
  if (typeof found !== 'string') return undefined
  known.set(key, found)
  return found
}

const HAN = /\p{Script=Han}/u
const LETTER = /[\p{L}\p{N}]/u

function filled(text: string, values: Values): string {
  if (!text.includes('{{')) return text
  return text.replace(PLACE, (place, name: string, at: number) => {
    if (!Object.hasOwn(values, name)) return ''
    const value = String(values[name])
    const [before, after] = [text.charAt(at - 1), text.charAt(at + place.length)]
    const space = (han: string, other: string) =>
      HAN.test(han) && LETTER.test(other) && !HAN.test(other) ? ' ' : ''
    return space(before, value.charAt(0)) + value + space(after, value.charAt(value.length - 1))
  })
}
