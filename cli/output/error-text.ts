import { AppError } from '../../shared/errors.ts'
import type { Style } from './style.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { wrapSentences } from './wrap.ts'

/**
 * What a person reads when something failed: one sentence, what to do next, the code. Never a stack. Broken into lines of
 * `columns` where a terminal shows it.
 */
export function errorText(error: unknown, style: Style, columns?: number): string {
  if (!(error instanceof AppError)) {
    const detail = error instanceof Error ? visibleText(error.message).split('\n')[0] : ''
    return [
      `${style.red('✗')} Something went wrong inside Handoff${detail === '' ? '' : `: ${detail}`} ${style.dim('[internal]')}`,
      '  Run it again with HANDOFF_DEBUG=1 to see where, and please report it.',
    ].join('\n')
  }
  const broken = (text: string) =>
    (columns === undefined ? text.split('\n') : wrapSentences(text, columns - 2)).join('\n  ')
  const code = `[${error.code}]`
  const sentence = broken(`${visibleText(error.message)} ${code}`)
  const lines = [`${style.red('✗')} ${sentence.slice(0, -code.length)}${style.dim(code)}`]
  if (error.hint !== undefined) lines.push(`  ${broken(visibleText(error.hint))}`)
  return lines.join('\n')
}

/** The same for programs: the `--json` form of an error, printed on stderr. */
export function errorJson(error: unknown): {
  v: 1
  error: { code: string; message: string; hint?: string; details?: unknown }
} {
  if (!(error instanceof AppError))
    return {
      v: 1,
      error: { code: 'internal', message: error instanceof Error ? error.message : String(error) },
    }
  return {
    v: 1,
    error: {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
}
