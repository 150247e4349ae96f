import { AppError } from '../../shared/errors.ts'
import type { Style } from './style.ts'
import { visibleText } from './visible.ts'

/** What a person reads when something failed: one sentence, what to do next, the code. Never a stack. */
export function errorText(error: unknown, style: Style): string {
  if (!(error instanceof AppError)) {
    const detail = error instanceof Error ? visibleText(error.message).split('\n')[0] : ''
    return [
      `${style.red('✗')} Something went wrong inside Handoff${detail === '' ? '' : `: ${detail}`} ${style.dim('[internal]')}`,
      '  Run it again with HANDOFF_DEBUG=1 to see where, and please report it.',
    ].join('\n')
  }
  const lines = [`${style.red('✗')} ${visibleText(error.message)} ${style.dim(`[${error.code}]`)}`]
  if (error.hint !== undefined) lines.push(`  ${visibleText(error.hint).replace(/\n/g, '\n  ')}`)
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
