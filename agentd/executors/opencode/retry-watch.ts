import type { ExecutorFact } from '../adapter.ts'
import { oneLine, retryProgress } from './translate.ts'
import type { SessionStatus } from './wire.ts'

type RetryStatus = Extract<SessionStatus, { type: 'retry' }>

/** Counts a failing model's attempts. opencode itself retries without end. */
export function createRetryWatch({
  limit,
  now,
}: {
  limit: { attempts: number; totalMs: number }
  now: () => number
}) {
  const since = new Map<string, number>()
  return {
    waiting: () => since.size > 0,
    /** An attempt failed. `giveUp` is the reason to end the turn, when it is time to. */
    failed(
      sessionId: string,
      status: RetryStatus,
    ): {
      fact: Extract<ExecutorFact, { type: 'progress' }>
      giveUp: string | undefined
    } {
      const started = since.get(sessionId) ?? now()
      since.set(sessionId, started)
      const tooLong = Math.max(now(), status.next) - started > limit.totalMs
      const tooOften = status.attempt >= limit.attempts
      const why = oneLine(status.message, 1_000)
      return {
        fact: retryProgress(status),
        giveUp:
          tooLong || tooOften
            ? `The model did not answer (${status.attempt} attempts): ${why}. The conversation can be continued.`
            : undefined,
      }
    },
    /** The session is getting answers again, or has stopped. */
    ended(sessionId: string): void {
      since.delete(sessionId)
    },
  }
}
