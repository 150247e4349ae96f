import type { TaskRow } from '../../shared/ipc/views.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import type { Translate } from '../i18n/i18n.ts'

/** What there is to review, in few words: how much has changed, and how the last command run there ended. Empty where nothing is known. */
export function resultWords(
  { changes, lastRun }: Pick<TaskRow, 'changes' | 'lastRun'>,
  t: Translate,
): string[] {
  const words: string[] = []
  if (changes !== undefined) {
    const { files: count, added, removed } = changes
    words.push(t('tasks.result.lines', { count, added, removed }))
  }
  if (lastRun !== undefined)
    words.push(
      t(lastRun.ok ? 'tasks.result.ok' : 'tasks.result.failed', { command: visibleLine(lastRun.command) }),
    )
  return words
}
