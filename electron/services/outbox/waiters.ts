import type { AppError } from '../../../shared/errors.ts'
import type { Decision } from '../../../shared/ipc/work-calls.ts'

/** Whoever gave an answer and waits to hear what became of it. */
interface Waiter {
  resolve(decision: Decision): void
  reject(error: AppError): void
  timer: NodeJS.Timeout
}

/** Those who wait to hear of their answers, by the id of the entry; nobody waits longer than `patienceMs`. */
export function createWaiters({ patienceMs }: { patienceMs: number }) {
  const waiters = new Map<string, Waiter>()

  /** Tells whoever waits for the entry; false when nobody does. */
  function settle(id: string, how: (waiter: Pick<Waiter, 'resolve' | 'reject'>) => void): boolean {
    const waiter = waiters.get(id)
    if (!waiter) return false
    waiters.delete(id)
    clearTimeout(waiter.timer)
    how(waiter)
    return true
  }

  return {
    settle,
    has: (id: string) => waiters.has(id),
    /** Resolves or rejects as `settle` says, and with `meanwhile` when the patience ends first. */
    wait(id: string, meanwhile: () => Decision): Promise<Decision> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(id, (waiter) => waiter.resolve(meanwhile())), patienceMs)
        waiters.set(id, { resolve, reject, timer })
      })
    },
  }
}

/** Those who wait to hear of their answers. */
export type Waiters = ReturnType<typeof createWaiters>
