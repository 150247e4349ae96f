import type Database from 'better-sqlite3'
import type { Store } from './store.ts'

/** How far each consumer has got. A cursor over all tasks covers the tasks' own cursors behind it. */
export function createCursors(db: Database.Database): Store['cursors'] {
  const select = db.prepare<[string], { taskId: string; seq: number }>(
    'SELECT task_id AS taskId, seq FROM cursors WHERE consumer = ?',
  )
  const advance = db.prepare(
    `INSERT INTO cursors (consumer, task_id, seq) VALUES (?, ?, ?)
     ON CONFLICT (consumer, task_id) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq`,
  )
  const forgetCovered = db.prepare("DELETE FROM cursors WHERE consumer = ? AND task_id <> '' AND seq <= ?")

  return {
    get(consumer) {
      const rows = select.all(consumer)
      if (rows.length === 0) return undefined
      const bySeq = new Map(rows.map(({ taskId, seq }) => [taskId, seq]))
      const all = bySeq.get('') ?? 0
      bySeq.delete('')
      return { all, tasks: bySeq }
    },
    ack(consumer, seq, taskId) {
      advance.run(consumer, taskId ?? '', seq)
      if (taskId === undefined) forgetCovered.run(consumer, seq)
    },
  }
}
