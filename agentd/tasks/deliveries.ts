import { isOver } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { Delivery, DeliveryOutcome } from '../executors/adapter.ts'
import type { Logger } from '../log.ts'
import type { Store, StoredDelivery } from '../store/store.ts'
import { ownRequestId } from './executor-bounds.ts'
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

/** The database is locked or full: what is due is still in it. */
const AFTER_FAILURE_MS = 5_000

/** Whether an attempt is due. One that lies further ahead than any pause was planned before the clock was set back. */
function isDue(row: StoredDelivery, now: number): boolean {
  const aheadMs = row.nextAttemptAt - now
  return aheadMs <= 0 || aheadMs > retryDelayMs(row.attempts)
}

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
      if (!force && !isDue(row, now())) {
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
        const message = outcome.message.slice(0, 2_000)
        store.deliveries.attempted(row.id, now() + retryDelayMs(attempts), message)
        if (attempts === TELL_AT_ATTEMPT)
          facts.apply(taskId, {
            type: 'delivery_failed',
            deliveryId: row.id,
            ...about,
            attempt: attempts,
            message,
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
        ...(note === undefined ? {} : { note: note.slice(0, 1_000) }),
      })
    })
  }

  function schedule(taskId: string): void {
    clearTimeout(timers.get(taskId))
    timers.delete(taskId)
    const pauses = store.deliveries
      .pending(taskId)
      .map((row) => (isDue(row, now()) ? 0 : row.nextAttemptAt - now()))
    if (pauses.length === 0) return
    kickLater(taskId, Math.max(50, Math.min(...pauses)))
  }

  function kickLater(taskId: string, ms: number): void {
    clearTimeout(timers.get(taskId))
    const timer = setTimeout(() => void kick(taskId), ms)
    timer.unref()
    timers.set(taskId, timer)
  }

  function kick(taskId: string, force = false): Promise<void> {
    return queue
      .run(taskId, () => deliverAll(taskId, force))
      .catch((error: unknown) => {
        log.error({ taskId, err: error }, 'delivering failed')
        kickLater(taskId, AFTER_FAILURE_MS)
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
        requestId: ownRequestId(row.payload.requestId),
        answer: row.payload.answer,
        ask: row.payload.ask,
      }
  }
}
