import type { Answer } from '../../../shared/domain/ticket.ts'
import type { DeliveryOutcome } from '../adapter.ts'

/** How a request ended: with an answer, or because the turn did. */
export type Answered = { kind: 'answer'; answer: Answer } | { kind: 'gone' }

/** The requests that wait for an answer right now. */
export function createRequests({ onGone }: { onGone: (requestId: string, reason: string) => void }) {
  const waiting = new Map<string, (answered: Answered) => void>()
  return {
    open: (requestId: string): Promise<Answered> =>
      new Promise((settle) => {
        waiting.set(requestId, settle)
      }),
    isWaiting: (requestId: string) => waiting.has(requestId),
    answer(requestId: string, answer: Answer): DeliveryOutcome {
      const settle = waiting.get(requestId)
      if (settle === undefined) return { kind: 'gone', reason: 'The demo executor no longer waits for this.' }
      waiting.delete(requestId)
      settle({ kind: 'answer', answer })
      return { kind: 'delivered' }
    },
    dropAll(reason: string): void {
      for (const [requestId, settle] of [...waiting]) {
        waiting.delete(requestId)
        onGone(requestId, reason)
        settle({ kind: 'gone' })
      }
    },
  }
}
export type Requests = ReturnType<typeof createRequests>
