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
  const forms = count === undefined ? [key] : [...(count === 1 ? [`${key}_one`] : []), `${key}_other`, key]
  for (const texts of languages)
    for (const form of forms) {
      const text = leafOf(texts, form)
      if (text !== undefined) return filled(text, values)
    }
  return undefined
}

function leafOf(texts: Texts, key: string): string | undefined {
  let at: string | Texts | undefined = texts
  for (const part of key.split('.')) {
    if (typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined
    at = at[part]
  }
  return typeof at === 'string' ? at : undefined
}

function filled(text: string, values: Values): string {
  return text.includes('{{')
    ? text.replace(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : ''))
    : text
}
