import { visibleText } from '../../shared/domain/visible.ts'
import type { WireError } from '../../shared/errors.ts'
import { isMessageKey, languageNow, type Translate } from '../i18n/i18n.ts'

/**
 * An error in the person's language. In English the sentence of the one who threw it is the most exact; in Chinese the
 * code's own sentence leads and the English one follows as the detail.
 */
export function errorWords(
  error: Pick<WireError, 'code' | 'message'> & { hint?: string | undefined },
  t: Translate,
): { sentence: string; hint: string | undefined } {
  // A host may have written them, and an executor may have named what they speak of.
  const message = visibleText(error.message)
  const hint = error.hint === undefined ? undefined : visibleText(error.hint)
  // A table that only Chinese has: a code of a newer host is not in it.
  const key = `errors.${error.code.replace('.', '_')}`
  const known = isMessageKey(key) ? t(key) : undefined
  if (languageNow() !== 'zh' || known === undefined) return { sentence: message, hint }
  return { sentence: known, hint: [message, hint].filter(Boolean).join('\n') }
}
