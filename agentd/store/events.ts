import type Database from 'better-sqlite3'
import { wakes, type Event } from '../../shared/domain/event.ts'
import type { Store, StoredEvent } from './store.ts'

// Events decide the order; each then looks up its task.
const ofAnyTask = `SELECT seq, tasks.id AS taskId, type, json
  FROM events CROSS JOIN tasks ON tasks.number = events.task`
const ofOneTask = 'SELECT seq, type, json FROM events'

type RowOfTask = Omit<StoredEvent, 'taskId'>

/** The numbered facts. Numbers rise by one; the newest is kept in memory and read again after a rollback. */
export function createEvents({ db, meta }: { db: Database.Database; meta: Store['meta'] }) {
  const numbers = createTaskNumbers(db)
  const selectHead = db.prepare<[], number | null>('SELECT max(seq) FROM events').pluck()
  const insert = db.prepare<[number, number, string, number, string | null, string]>(
    `INSERT INTO events (seq, task, type, wake, key, json) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (task, key) WHERE key IS NOT NULL DO NOTHING`,
  )
  const selectKey = db
    .prepare<[number, string], number>('SELECT 1 FROM events WHERE task = ? AND key = ?')
    .pluck()
  const selectAfter = db.prepare<[number, number], StoredEvent>(
    `${ofAnyTask} WHERE seq > ? ORDER BY seq LIMIT ?`,
  )
  const selectWaking = db.prepare<[number, number], StoredEvent>(
    `${ofAnyTask} WHERE wake = 1 AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const selectOfTask = db.prepare<[number, number, number], RowOfTask>(
    `${ofOneTask} WHERE task = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const selectLast = db.prepare<[number, number], RowOfTask>(
    `${ofOneTask} WHERE task = ? ORDER BY seq DESC LIMIT ?`,
  )
  const selectWakingOfTask = db.prepare<[number, number, number], RowOfTask>(
    `${ofOneTask} WHERE wake = 1 AND task = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  /** The rows that `read` finds for a task; none for a task that is not there. */
  function rowsOf(taskId: string, read: (task: number) => RowOfTask[]): StoredEvent[] {
    const task = numbers.of(taskId)
    return task === undefined ? [] : read(task).map(({ seq, type, json }) => ({ seq, taskId, type, json }))
  }
  let headSeq = selectHead.get() ?? 0

  const calls: Omit<Store['events'], 'prune'> = {
    append(taskId, at, event, key) {
      const task = numbers.of(taskId)
      if (task === undefined) throw new Error(`Task ${taskId} must be inserted before its events.`)
      const seq = headSeq + 1
      const stored = { seq, taskId, at, ...event } as Event
      const json = JSON.stringify(stored)
      const wake = wakes(event.type) ? 1 : 0
      if (insert.run(seq, task, event.type, wake, key ?? null, json).changes === 0) return undefined
      headSeq = seq
      return stored
    },
    hasKey(taskId, key) {
      const task = numbers.of(taskId)
      return task !== undefined && selectKey.get(task, key) !== undefined
    },
    after: (seq, limit) => selectAfter.all(seq, limit),
    ofTask: (taskId, afterSeq, limit) => rowsOf(taskId, (task) => selectOfTask.all(task, afterSeq, limit)),
    lastOfTask: (taskId, limit) => rowsOf(taskId, (task) => selectLast.all(task, limit)).reverse(),
    headSeq: () => headSeq,
    completeFromSeq: () => Number(meta.get('completeFromSeq') ?? 1),
    waking(taskIds, afterSeq, limit) {
      if (!taskIds) return selectWaking.all(afterSeq, limit)
      return [...new Set(taskIds)]
        .flatMap((id) => rowsOf(id, (task) => selectWakingOfTask.all(task, afterSeq, limit)))
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit)
    },
  }
  return {
    calls,
    /** To be called when a transaction was rolled back: its numbers were never given out. */
    forget() {
      headSeq = selectHead.get() ?? 0
      numbers.forget()
    },
  }
}

/** Looks up a task's number; a few thousand are remembered, as events come in runs of the same tasks. */
function createTaskNumbers(db: Database.Database) {
  const select = db.prepare<[string], number>('SELECT number FROM tasks WHERE id = ?').pluck()
  const known = new Map<string, number>()
  return {
    of(taskId: string): number | undefined {
      const remembered = known.get(taskId)
      if (remembered !== undefined) return remembered
      const number = select.get(taskId)
      if (known.size >= 4_096) known.clear()
      if (number !== undefined) known.set(taskId, number)
      return number
    },
    forget: () => known.clear(),
  }
}
