import type { Language } from '../../../shared/ipc/language.ts'
import type { KeyOf } from '../../../shared/words/keys.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Every text of the tray, notifications and menus, by its key. */
export type WordKey = KeyOf<typeof en>

/** Says a text; `values` fill its `{{places}}`, and `count` also chooses between singular and plural. */
export type Words = (key: WordKey, values?: Record<string, string | number>) => string

type Table = { [name: string]: string | Table }

const texts: Record<Language, ReadonlyMap<string, string>> = {
  en: new Map(leaves(en)),
  zh: new Map(leaves(zh)),
}

/** The words of a language. */
export function wordsOf(language: Language): Words {
  const table = texts[language]
  return (key, values = {}) => {
    const singular = values.count === 1 ? table.get(`${key}_one`) : undefined
    const text = table.get(key) ?? singular ?? table.get(`${key}_other`) ?? key
    return text.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => String(values[name] ?? ''))
  }
}

function leaves(table: Table, path = ''): [string, string][] {
  return Object.entries(table).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : leaves(value, `${path}${name}.`),
  )
}
