/** Work in lanes: what has the same key runs one after the other, and no more than `atOnce` lanes at a time, first come first served. */
export function createLanes({ atOnce }: { atOnce: number }) {
  const lanes = new Map<string, Promise<void>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function slot(): Promise<void> {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
  }

  /** The slot goes straight to who waits longest. */
  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  async function after(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before
    await slot()
    try {
      await work()
    } finally {
      release()
    }
  }

  return {
    /** Resolves when the work is done. The work must not reject. */
    run(key: string, work: () => Promise<void>): Promise<void> {
      const lane = after(lanes.get(key), work).finally(() => {
        if (lanes.get(key) === lane) lanes.delete(key)
      })
      lanes.set(key, lane)
      return lane
    },
    /** Resolves when nothing runs or waits any more. */
    async idle(): Promise<void> {
      while (lanes.size > 0) await Promise.all(lanes.values())
    },
  }
}
