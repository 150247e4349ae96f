/** Runs asynchronous work of one task one after the other, and of different tasks side by side. */
export interface TaskQueue {
  /** Resolves or rejects with the work's own outcome; a failure does not stop what is queued behind it. */
  run<T>(taskId: string, work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is running or queued. */
  idle(): Promise<void>
}

/** A queue with nothing in it. */
export function createTaskQueue(): TaskQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run(taskId, work) {
      const before = tails.get(taskId) ?? Promise.resolve()
      const result = before.then(work, work)
      const tail = result.then(
        () => undefined,
        () => undefined,
      )
      tails.set(taskId, tail)
      void tail.then(() => {
        if (tails.get(taskId) === tail) tails.delete(taskId)
      })
      return result
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}

/** Runs `work` on each item, at most `limit` at once. */
export async function forEachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items]
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
}
