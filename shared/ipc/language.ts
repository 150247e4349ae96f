/** A language that the desk speaks completely. */
export type Language = 'en' | 'zh'

/** The language to speak: the one that was chosen, or else the system's (BCP 47): Chinese for any `zh…`, English otherwise. */
export function languageFor(chosen: 'system' | Language, systemLocale: string): Language {
  if (chosen !== 'system') return chosen
  return /^zh\b/i.test(systemLocale) ? 'zh' : 'en'
}
