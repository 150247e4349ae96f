import { visibleText } from '../../shared/domain/visible.ts'
import type { WireError } from '../../shared/errors.ts'
import { isMessageKey, languageNow, type Translate } from '../i18n/i18n.ts'

/** An error for a person. */
export interface ErrorWords {
  sentence: string
  /** What to do next. */
  hint: string | undefined
  /** The words of the one who threw it, where the sentence is another's. */
  details: string | undefined
}

/**
 * An error in the person's language. In English the sentence of the one who threw it is the most exact; in Chinese the code's own
 * sentence and hint speak, and the English ones are the details.
 */
export function errorWords(
  error: Pick<WireError, 'code' | 'message'> & { hint?: string | undefined },
  t: Translate,
): ErrorWords {
  // A host may have written them, and an executor may have named what they speak of.
  const message = visibleText(error.message)
  const hint = error.hint === undefined ? undefined : visibleText(error.hint)
  // Tables that only Chinese has: a code of a newer host is not in them.
  const own = (table: 'errors' | 'hints') => {
    const key = `${table}.${error.code.replace('.', '_')}`
    return isMessageKey(key) ? t(key) : undefined
  }
  const sentence = languageNow() === 'zh' ? own('errors') : undefined
  if (sentence === undefined) return { sentence: message, hint, details: undefined }
  return { sentence, hint: own('hints'), details: [message, hint].filter(Boolean).join('\n') }
}
