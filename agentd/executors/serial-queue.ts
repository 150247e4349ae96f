/** Runs asynchronous work one piece after the other, in the order it came. A failed piece does not stop the next. */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run<T>(work: () => Promise<T>): Promise<T> {
      const next = last.then(work, work)
      last = next
      return next
    },
  }
}
