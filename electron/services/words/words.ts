import type { Language } from '../../../shared/ipc/language.ts'
import type { KeyOf } from '../../../shared/words/keys.ts'
import { textOf, type Texts } from '../../../shared/words/text-of.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Every text of the tray, notifications and menus, by its key. */
export type WordKey = KeyOf<typeof en>

/** Says a text; `values` fill its `{{places}}`, and `count` also chooses between singular and plural. */
export type Words = (key: WordKey, values?: Record<string, string | number>) => string

const texts: Record<Language, Texts> = { en, zh }

/** The words of a language. */
export function wordsOf(language: Language): Words {
  const languages = [texts[language]]
  return (key, values) => textOf(languages, key, values) ?? key
}
