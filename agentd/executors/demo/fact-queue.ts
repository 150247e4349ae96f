import type { AdapterState, ExecutorFact } from '../adapter.ts'
import type { NumberedFact } from './protocol.ts'

interface Deps {
  report: (fact: ExecutorFact) => void
  state: AdapterState
  /** A fact could not be reported. What was queued is dropped; it has to be read again from `reported()` on. */
  onFailure: (error: unknown) => void
}

/** Longest stretch in which facts are reported without letting anything else run. */
const SLICE_MS = 10

/**
 * Reports facts in order and once, a few at a time: each is a transaction, and a chatty program must not hold up the
 * other tasks. How far it came is kept in the adapter's state.
 */
export function createFactQueue({ report, state, onFailure }: Deps) {
  let reported = numberOf(state.get()['reported'])
  let saved = reported
  let queue: NumberedFact[] = []
  let timer: NodeJS.Immediate | undefined

  function save(): void {
    // A number that is lost only means that known facts are told again.
    if (saved !== reported) state.set({ ...state.get(), reported })
    saved = reported
  }

  function reportUntil(deadlineMs: number): void {
    let done = 0
    try {
      for (const { n, fact } of queue) {
        if (done > 0 && performance.now() > deadlineMs) break
        if (n > reported) report(fact)
        reported = Math.max(reported, n)
        done += 1
      }
    } finally {
      queue = queue.slice(done)
    }
    if (queue.length === 0) save()
  }

  function run(): void {
    timer = undefined
    try {
      reportUntil(performance.now() + SLICE_MS)
    } catch (error) {
      queue = []
      onFailure(error)
      return
    }
    if (queue.length > 0) timer = setImmediate(run)
  }

  return {
    /** The number up to which everything is reported. */
    reported: () => reported,
    /** The number up to which everything is reported or queued. */
    known: () => queue.at(-1)?.n ?? reported,
    push(numbered: NumberedFact): void {
      queue.push(numbered)
      timer ??= setImmediate(run)
    },
    /** Reports everything now. Throws what `report` throws. */
    drain(): void {
      reportUntil(Number.POSITIVE_INFINITY)
    },
    dispose(): void {
      if (timer !== undefined) clearImmediate(timer)
      queue = []
    },
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0
}
