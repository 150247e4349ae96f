import type { Store } from '../store/store.ts'

const MAX_REMEMBERED = 10_000
/** A write for every look would cost more than the rows it spares the next one. */
const RAISE_BY = 200

/** Where a consumer goes on reading. */
export interface WaitCursor {
  /** The event after which a task's events are still to be looked at. */
  of(taskId: string): number
  /** The same for all tasks. */
  lowest(): number
}

/** Keeps how far each consumer's waits have read, and what they passed over because a person was connected. */
export function createWaitCursors({ store }: { store: Store }) {
  /** Up to where a consumer's waits have found everything settled: of all tasks (its name), of one (name and task). */
  const settled = new Map<string, number>()
  const settledKey = (consumer: string, taskId: string): string => `${consumer} ${taskId}`
  const passedKey = (consumer: string): string => `wait.passed.${consumer}`

  function remember(key: string, seq: number): void {
    if (settled.size > MAX_REMEMBERED) settled.clear()
    settled.set(key, seq)
  }

  /** A consumer never seen before begins at the oldest task that is still open: the past is not its business. */
  function firstCursor(consumer: string): { all: number; tasks: ReadonlyMap<string, number> } {
    const firsts = store.tasks
      .open()
      .map((task) => store.events.ofTask(task.id, 0, 1)[0]?.seq ?? store.events.headSeq() + 1)
    const all = Math.min(store.events.headSeq(), ...firsts.map((seq) => seq - 1))
    store.transaction(() => store.cursors.ack(consumer, all))
    return { all, tasks: new Map() }
  }

  function passedOf(consumer: string): number[] {
    return JSON.parse(store.meta.get(passedKey(consumer)) ?? '[]') as number[]
  }

  function savePassed(consumer: string, passed: readonly number[]): void {
    const json = JSON.stringify([...new Set(passed)].slice(-1_000))
    if (json !== (store.meta.get(passedKey(consumer)) ?? '[]'))
      store.transaction(() => store.meta.set(passedKey(consumer), json))
  }

  return {
    cursorOf(consumer: string): WaitCursor {
      const known = store.cursors.get(consumer) ?? firstCursor(consumer)
      return {
        of: (taskId) =>
          Math.max(known.all, known.tasks.get(taskId) ?? 0, settled.get(settledKey(consumer, taskId)) ?? 0),
        lowest: () => Math.max(known.all, settled.get(consumer) ?? 0),
      }
    },
    /** Everything of all tasks is settled up to here: the consumer's general cursor moves too, now and then. */
    raise(consumer: string, seq: number): void {
      remember(consumer, seq)
      if (seq - (store.cursors.get(consumer)?.all ?? 0) >= RAISE_BY)
        store.transaction(() => store.cursors.ack(consumer, seq))
    },
    /** Everything of this task is settled up to here. */
    raiseTask(consumer: string, taskId: string, seq: number): void {
      remember(settledKey(consumer, taskId), seq)
    },
    /** What a wait passed over because a person was connected; it must still wake when they leave. */
    passedOf,
    savePassed,
    /** The consumer has this event, of one task or of all. */
    acknowledge(consumer: string, seq: number, taskId: string | undefined): void {
      // Printed before this host was restored from a backup: what gets the number later has not been seen.
      if (seq > store.events.headSeq()) return
      store.transaction(() => {
        store.cursors.ack(consumer, seq, taskId)
        const passed = passedOf(consumer)
        if (passed.includes(seq))
          savePassed(
            consumer,
            passed.filter((other) => other !== seq),
          )
      })
    },
  }
}
