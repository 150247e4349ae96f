import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { Language } from '../../shared/ipc/language.ts'
import type { KeyOf } from '../../shared/words/keys.ts'
import { en } from './en.ts'

/** Every text by its key: file name, then the path inside the file. Keys with a number (`_one`, `_other`) lose their ending. */
export type MessageKey = KeyOf<typeof en>

/** Looks a text up; `values` fill its `{{places}}`, `count` chooses the plural. */
export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

/** Loads a language and begins to speak it. Chinese is fetched when it is first needed. */
export async function speak(language: Language): Promise<void> {
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: 'en',
      fallbackLng: 'en',
      resources: { en: { translation: en } },
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  }
  if (language === 'zh' && !i18next.hasResourceBundle('zh', 'translation')) {
    const { zh } = await import('./zh.ts')
    i18next.addResourceBundle('zh', 'translation', zh)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}

/** The texts, for components; they are drawn again when the language changes. */
export function useText(): { t: Translate; language: Language } {
  const { t, i18n } = useTranslation()
  return { t: t as unknown as Translate, language: i18n.language === 'zh' ? 'zh' : 'en' }
}
