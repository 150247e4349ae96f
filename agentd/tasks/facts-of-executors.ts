import type { Task } from '../../shared/domain/task.ts'
import { isOver } from '../../shared/domain/task.ts'
import { assertNever } from '../../shared/errors.ts'
import type { ExecutorFact } from '../executors/adapter.ts'
import type { Store } from '../store/store.ts'
import type { FactLog } from './fact-log.ts'
import type { createIntake } from './intake.ts'
import { ticketIdOf, withinBounds } from './executor-bounds.ts'

interface Needs {
  store: Store
  facts: FactLog
  intake: ReturnType<typeof createIntake>
  /** Stores the end of a turn durably, to be judged later. */
  holdTurn(taskId: string, turn: { key: string; text: string }): void
  /** Has git asked what the stored end of a turn means. */
  judgeHeldTurn(taskId: string): void
  /** The executor is gone: everything of the task is to be cleaned up. */
  lost(taskId: string): void
}

/** Makes what executors report durable. Returns when it is; throws when it could not be written. */
export function createExecutorFacts({ store, facts, intake, holdTurn, judgeHeldTurn, lost }: Needs) {
  function progress(task: Task, fact: Extract<ExecutorFact, { type: 'progress' }>): void {
    const { kind, text, failed } = fact
    const body = { kind, text, ...(failed === undefined ? {} : { failed }) }
    facts.apply(task.id, { type: 'progress', body }, fact.key)
  }

  return function onFact(taskId: string, fact: ExecutorFact): void {
    const task = store.tasks.get(taskId)
    if (!task || isOver(task.state)) return
    facts.transaction(() => record(task, withinBounds(fact)))
    // Only after the commit: this work must never run for something that was rolled back.
    if (fact.type === 'turn_ended') judgeHeldTurn(taskId)
    if (fact.type === 'lost') lost(taskId)
  }

  function record(task: Task, fact: ExecutorFact): void {
    switch (fact.type) {
      case 'permission':
        return intake.permission(task, fact)
      case 'question':
        return intake.question(task, fact)
      case 'request_gone': {
        facts.apply(
          task.id,
          { type: 'request_gone', ticketId: ticketIdOf(task.id, fact.requestId), reason: fact.reason },
          fact.key,
        )
        return
      }
      case 'turn_ended':
        if (!store.events.hasKey(task.id, fact.key)) holdTurn(task.id, { key: fact.key, text: fact.text })
        return
      case 'turn_failed':
        facts.apply(task.id, { type: 'turn_failed', message: fact.message }, fact.key)
        return
      case 'progress':
        return progress(task, fact)
      case 'offline':
        facts.apply(task.id, { type: 'offline', message: fact.message })
        return
      case 'online':
        facts.apply(task.id, { type: 'online' })
        return
      case 'lost':
        facts.apply(task.id, { type: 'crashed', message: fact.message, logTail: fact.logTail })
        return
      default:
        assertNever(fact)
    }
  }
}
