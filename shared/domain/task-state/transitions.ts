import type { TaskState } from '../task.ts'

const over = ['failed', 'cancelled'] as const

/** Every single step a task's state can take. A fact may take several steps at once (an answer while in review: two). */
const steps: Readonly<Record<TaskState, readonly TaskState[]>> = {
  pending: ['submitted', ...over],
  submitted: ['running', ...over],
  running: ['waiting_answer', 'waiting_review', ...over],
  waiting_answer: ['running', ...over],
  waiting_review: ['running', 'completed', ...over],
  completed: [],
  failed: [],
  cancelled: [],
}

/** Whether a task may go from one state to another in one step. */
export function canBecome(from: TaskState, to: TaskState): boolean {
  return steps[from].includes(to)
}

/**
 * The steps that lead from one state to another, `running` in between where there is no direct one; undefined when
 * the way is closed.
 */
export function wayTo(from: TaskState, to: TaskState): readonly TaskState[] | undefined {
  if (from === to) return []
  if (canBecome(from, to)) return [to]
  return canBecome(from, 'running') && canBecome('running', to) ? ['running', to] : undefined
}
