import type { TaskState } from '../../shared/domain/task.ts'
import type { Translate } from '../i18n/i18n.ts'

/** The colour of a state; its word says the same. */
export function stateTone(task: {
  state: TaskState
  stalledSince?: number | undefined
  offlineSince?: number | undefined
}): 'neutral' | 'danger' | 'warn' | 'ok' | 'accent' {
  if (task.offlineSince !== undefined || task.stalledSince !== undefined) return 'warn'
  switch (task.state) {
    case 'waiting_answer':
      return 'warn'
    case 'waiting_review':
      return 'ok'
    case 'running':
      return 'accent'
    case 'failed':
      return 'danger'
    case 'pending':
    case 'submitted':
    case 'completed':
    case 'cancelled':
      return 'neutral'
  }
}

/** A state in words; a mark (offline, stalled) says more than the state. */
export function stateWords(
  task: { state: TaskState; stalledSince?: number | undefined; offlineSince?: number | undefined },
  t: Translate,
): string {
  if (task.offlineSince !== undefined) return t('tasks.offline')
  if (task.stalledSince !== undefined) return t('tasks.stalled')
  return t(`tasks.state.${task.state}`)
}
