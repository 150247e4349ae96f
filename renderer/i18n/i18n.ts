import { useSyncExternalStore } from 'react'
import type { Language } from '../../shared/ipc/language.ts'
import { createListeners } from '../../shared/listeners.ts'
import type { KeyOf } from '../../shared/words/keys.ts'
import { textOf, type Texts } from '../../shared/words/text-of.ts'
import { en } from './en.ts'

/** Every text by its key: file name, then the path inside the file. Keys with a number (`_one`, `_other`) lose their ending. */
export type MessageKey = KeyOf<typeof en>

/** Looks a text up; `values` fill its `{{places}}`, `count` chooses the plural. */
export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

/** A language as it is spoken; another object after every change, so that components see it. */
interface Spoken {
  language: Language
  texts: readonly Texts[]
  t: Translate
}

let spoken = speaking('en', [en])
let wanted: Language = 'en'
const watchers = createListeners()

/** Loads a language and begins to speak it. Chinese is fetched when it is first needed; what it lacks is said in English. */
export async function speak(language: Language): Promise<void> {
  wanted = language
  const languages = language === 'zh' ? [(await import('./zh.ts')).zh, en] : [en]
  // Another language was chosen while this one was fetched.
  if (wanted !== language) return
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  if (spoken.language === language) return
  spoken = speaking(language, languages)
  watchers.tell()
}

/** The language that is spoken now. */
export function languageNow(): Language {
  return spoken.language
}

/** Whether the language that is spoken has a text for a key that was put together. */
export function isMessageKey(key: string): key is MessageKey {
  return textOf(spoken.texts, key) !== undefined
}

/** The texts, for components; they are drawn again when the language changes. */
export function useText(): { t: Translate; language: Language } {
  return useSyncExternalStore(watchers.add, () => spoken)
}

/** A key without a text stands for itself: that is seen, and ends no screen. */
function speaking(language: Language, texts: readonly Texts[]): Spoken {
  return { language, texts, t: (key, values) => textOf(texts, key, values) ?? key }
}
