const EVERY_MS = 50
const MAX_KEYS = 500

/** Which tasks changed, as `host/taskId`; `all` when there are too many to name. */
export type ChangedTasks = readonly string[] | 'all'

/** Turns a stream of changes into at most twenty a second. */
export interface ChangeFeed {
  /** Something changed; told at once when it was quiet before. Without tasks: hosts or counts only. */
  touch(tasks?: ReadonlySet<string> | 'all'): void
  /** Stops for good; nothing is told afterwards. */
  dispose(): void
}

/** The first change after a rest of 50 ms is told at once, what follows is gathered until the rest is over. */
export function createChangeFeed(tell: (tasks: ChangedTasks) => void): ChangeFeed {
  let gathered: Set<string> | 'all' = new Set()
  let isPending = false
  let isDisposed = false
  let resting: NodeJS.Timeout | undefined

  function flush(): void {
    const tasks = gathered === 'all' ? gathered : [...gathered]
    gathered = new Set()
    isPending = false
    resting = setTimeout(() => {
      resting = undefined
      if (isPending) flush()
    }, EVERY_MS)
    tell(tasks)
  }

  return {
    touch(tasks = new Set()) {
      if (isDisposed) return
      if (tasks === 'all') gathered = 'all'
      else if (gathered !== 'all') {
        for (const key of tasks) gathered.add(key)
        if (gathered.size > MAX_KEYS) gathered = 'all'
      }
      isPending = true
      if (resting === undefined) flush()
    },
    dispose() {
      isDisposed = true
      isPending = false
      clearTimeout(resting)
    },
  }
}
