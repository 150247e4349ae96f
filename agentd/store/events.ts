import type Database from 'better-sqlite3'
import { wakes, type Event } from '../../shared/domain/event.ts'
import type { Store, StoredEvent } from './store.ts'

const columns = 'seq, task_id AS taskId, type, json'

/** The numbered facts. Numbers rise by one; the newest is kept in memory and read again after a rollback. */
export function createEvents({ db, meta }: { db: Database.Database; meta: Store['meta'] }) {
  const selectHead = db.prepare<[], number | null>('SELECT max(seq) FROM events').pluck()
  const insert = db.prepare<[number, string, string, number, string | null, string]>(
    `INSERT INTO events (seq, task_id, type, wake, key, json) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (task_id, key) WHERE key IS NOT NULL DO NOTHING`,
  )
  const selectKey = db
    .prepare<[string, string], number>('SELECT 1 FROM events WHERE task_id = ? AND key = ?')
    .pluck()
  const selectAfter = db.prepare<[number, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
  )
  const selectOfTask = db.prepare<[string, number, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE task_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const selectLast = db.prepare<[string, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE task_id = ? ORDER BY seq DESC LIMIT ?`,
  )
  const selectWaking = db.prepare<[number, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE wake = 1 AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const selectWakingOfTask = db.prepare<[string, number, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE wake = 1 AND task_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  let headSeq = selectHead.get() ?? 0

  const calls: Omit<Store['events'], 'prune'> = {
    append(taskId, at, event, key) {
      const seq = headSeq + 1
      const stored = { seq, taskId, at, ...event } as Event
      const json = JSON.stringify(stored)
      const wake = wakes(event.type) ? 1 : 0
      if (insert.run(seq, taskId, event.type, wake, key ?? null, json).changes === 0) return undefined
      headSeq = seq
      return stored
    },
    hasKey: (taskId, key) => selectKey.get(taskId, key) !== undefined,
    after: (seq, limit) => selectAfter.all(seq, limit),
    ofTask: (taskId, afterSeq, limit) => selectOfTask.all(taskId, afterSeq, limit),
    lastOfTask: (taskId, limit) => selectLast.all(taskId, limit).reverse(),
    headSeq: () => headSeq,
    completeFromSeq: () => Number(meta.get('completeFromSeq') ?? 1),
    waking(taskIds, afterSeq, limit) {
      if (!taskIds) return selectWaking.all(afterSeq, limit)
      const found = [...new Set(taskIds)].flatMap((id) => selectWakingOfTask.all(id, afterSeq, limit))
      return found.sort((a, b) => a.seq - b.seq).slice(0, limit)
    },
  }
  return {
    calls,
    /** To be called when a transaction was rolled back: its numbers were never given out. */
    forgetHead() {
      headSeq = selectHead.get() ?? 0
    },
  }
}
