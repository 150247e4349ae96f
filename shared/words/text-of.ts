/** Texts of one language: by screen, then by whatever path the screen's file has. */
export interface Texts {
  readonly [key: string]: string | Texts
}

/** Values for the places of a text; `count` also chooses the plural. */
export type Values = Readonly<Record<string, string | number>>

const PLACE = /\{\{\s*(\w+)\s*\}\}/g

/**
 * The text of a key in the first of the languages that has it, its `{{places}}` filled; undefined when none has it. With a
 * `count`, `key_one` (for exactly 1) or `key_other` is preferred: English needs no more plurals, and Chinese only the second.
 */
export function textOf(languages: readonly Texts[], key: string, values: Values = {}): string | undefined {
  const { count } = values
  for (const texts of languages) {
    const known = flatOf(texts)
    const singular = count === 1 ? known.get(`${key}_one`) : undefined
    const plural = count === undefined ? undefined : known.get(`${key}_other`)
    const text = singular ?? plural ?? known.get(key)
    if (text !== undefined) return filled(text, values)
  }
  return undefined
}

const flat = new WeakMap<Texts, ReadonlyMap<string, string>>()

/** Walked through once, since thousands of lines may be worded in one go. */
function flatOf(texts: Texts): ReadonlyMap<string, string> {
  const known = flat.get(texts)
  if (known !== undefined) return known
  const made = new Map(leaves(texts, ''))
  flat.set(texts, made)
  return made
}

function leaves(texts: Texts, path: string): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : leaves(value, `${path}${name}.`),
  )
}

function filled(text: string, values: Values): string {
  return text.includes('{{')
    ? text.replace(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : ''))
    : text
}
