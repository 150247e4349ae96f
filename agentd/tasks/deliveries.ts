import { isOver } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { Delivery, DeliveryOutcome } from '../executors/adapter.ts'
import type { Logger } from '../log.ts'
import type { Store, StoredDelivery } from '../store/store.ts'
import type { FactLog } from './fact-log.ts'
import type { Sessions } from './sessions.ts'
import type { TaskQueue } from './task-queue.ts'

interface Needs {
  store: Store
  facts: FactLog
  sessions: Sessions
  queue: TaskQueue
  log: Logger
  now: () => number
}

/** Pause before the next attempt: quick at first (a server that is just starting), then at most a minute. */
const retryDelayMs = (attempts: number): number => Math.min(60_000, 500 * 2 ** Math.min(attempts, 10))
/** One failed attempt is everyday life; the second is told. */
const TELL_AT_ATTEMPT = 2

/** Carries answers and instructions to executors: each until it is delivered, known to be there already, or pointless. */
export function createDeliveries({ store, facts, sessions, queue, log, now }: Needs) {
  const timers = new Map<string, NodeJS.Timeout>()

  async function deliverAll(taskId: string, force: boolean): Promise<void> {
    let promptBlocked = false
    for (const row of store.deliveries.pending(taskId)) {
      const task = store.tasks.get(taskId)
      if (!task || isOver(task.state)) return
      // Prompts keep their order; answers to requests do not depend on each other.
      if (row.kind === 'prompt' && promptBlocked) continue
      if (!force && row.nextAttemptAt > now()) {
        if (row.kind === 'prompt') promptBlocked = true
        continue
      }
      const outcome = await attempt(taskId, row)
      if (outcome.kind === 'retry' && row.kind === 'prompt') promptBlocked = true
      settle(taskId, row, outcome)
    }
    schedule(taskId)
  }

  async function attempt(taskId: string, row: StoredDelivery): Promise<DeliveryOutcome> {
    const task = store.tasks.get(taskId)
    if (!task) return { kind: 'gone', reason: 'the task is gone' }
    try {
      return await (await sessions.open(task)).deliver(toDelivery(row))
    } catch (error) {
      log.warn({ taskId, deliveryId: row.id, err: error }, 'a delivery failed')
      return {
        kind: 'retry',
        message: error instanceof AppError ? error.message : 'The executor did not take it.',
      }
    }
  }

  function settle(taskId: string, row: StoredDelivery, outcome: DeliveryOutcome): void {
    const about = row.ticketId === undefined ? {} : { ticketId: row.ticketId }
    facts.transaction(() => {
      if (outcome.kind === 'retry') {
        const attempts = row.attempts + 1
        store.deliveries.attempted(row.id, now() + retryDelayMs(attempts), outcome.message)
        if (attempts === TELL_AT_ATTEMPT)
          facts.apply(taskId, {
            type: 'delivery_failed',
            deliveryId: row.id,
            ...about,
            attempt: attempts,
            message: outcome.message,
          })
        return
      }
      store.deliveries.delivered(row.id, now())
      if (outcome.kind === 'gone') {
        if (row.ticketId !== undefined)
          facts.apply(taskId, { type: 'request_gone', ticketId: row.ticketId, reason: outcome.reason })
        return
      }
      const note = outcome.kind === 'already' ? 'the executor had it already' : outcome.note
      facts.apply(taskId, {
        type: 'delivered',
        deliveryId: row.id,
        ...about,
        ...(note === undefined ? {} : { note }),
      })
    })
  }

  function schedule(taskId: string): void {
    clearTimeout(timers.get(taskId))
    timers.delete(taskId)
    const next = store.deliveries
      .pending(taskId)
      .reduce((soonest, row) => Math.min(soonest, row.nextAttemptAt), Infinity)
    if (next === Infinity) return
    const timer = setTimeout(() => void kick(taskId), Math.max(50, next - now()))
    timer.unref()
    timers.set(taskId, timer)
  }

  function kick(taskId: string, force = false): Promise<void> {
    return queue
      .run(taskId, () => deliverAll(taskId, force))
      .catch((error: unknown) => {
        log.error({ taskId, err: error }, 'delivering failed')
        schedule(taskId)
      })
  }

  const stopListening = facts.onEffects((taskId) => void kick(taskId))

  return {
    /** Delivers what waits for this task; with `force` also what would only be tried again later. */
    kick,
    dispose(): void {
      stopListening()
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

function toDelivery(row: StoredDelivery): Delivery {
  const common = { deliveryId: row.id, attempt: row.attempts + 1 }
  switch (row.payload.kind) {
    case 'prompt':
      return { ...common, kind: 'prompt', text: row.payload.text }
    case 'respond':
      return {
        ...common,
        kind: 'respond',
        requestId: row.payload.requestId,
        answer: row.payload.answer,
        ask: row.payload.ask,
      }
  }
}
