import type Database from 'better-sqlite3'
import type { Store } from './store.ts'

/** Most events that one call removes, and most tasks it looks at, so that it holds up the program only shortly. */
export const PRUNE_BATCH = 1_000

/**
 * Drops the old events of ended tasks, oldest ending first, at most PRUNE_BATCH per call: call again while there is
 * `more`. A task's events go together: those of tasks that ended before `olderThan`, and further ones while the
 * database's content is larger than `maxBytes`. The newest `keepPerTask` (at least one) of each task stay.
 */
export function createPrune({ db, meta }: { db: Database.Database; meta: Store['meta'] }) {
  const oldest = db.prepare<[], { number: number; id: string; endedAt: number }>(
    `SELECT number, id, ended_at AS endedAt FROM tasks WHERE over = 1 AND trimmed = 0 ORDER BY ended_at LIMIT 1`,
  )
  const firstKept = db
    .prepare<[number, number], number>(
      'SELECT seq FROM events WHERE task = ? ORDER BY seq DESC LIMIT 1 OFFSET ?',
    )
    .pluck()
  const doomed = db
    .prepare<[number, number, number], number>(
      'SELECT seq FROM events WHERE task = ? AND seq < ? ORDER BY seq LIMIT ?',
    )
    .pluck()
  const remove = db.prepare<[number, number]>('DELETE FROM events WHERE task = ? AND seq <= ?')
  const removeDeliveries = db.prepare<[string]>(
    'DELETE FROM deliveries WHERE task_id = ? AND (delivered_at IS NOT NULL OR dropped = 1)',
  )
  const markTrimmed = db.prepare<[number]>('UPDATE tasks SET trimmed = 1 WHERE number = ?')

  function contentBytes(): number {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(
      (name) => db.pragma(name, { simple: true }) as number,
    ) as [number, number, number]
    return (pages - free) * size
  }

  /** Removes up to `limit` events of one task; gives back how many and whether none is left to remove. */
  function trim(
    task: number,
    keep: number,
    limit: number,
  ): { removed: number; lastSeq: number; ended: boolean } {
    const kept = firstKept.get(task, keep - 1)
    const seqs = kept === undefined ? [] : doomed.all(task, kept, limit)
    const lastSeq = seqs.at(-1)
    if (lastSeq === undefined) return { removed: 0, lastSeq: 0, ended: true }
    remove.run(task, lastSeq)
    return { removed: seqs.length, lastSeq, ended: seqs.length < limit }
  }

  return function prune(policy: { olderThan: number; maxBytes: number; keepPerTask: number }): {
    removed: number
    more: boolean
  } {
    let removed = 0
    let lastSeq = 0
    let more = true
    // Tasks without an old event count too: a thousand of them are a bite as well.
    for (let tasks = 0; tasks < PRUNE_BATCH && removed < PRUNE_BATCH; tasks++) {
      const task = oldest.get()
      more = task !== undefined && (task.endedAt < policy.olderThan || contentBytes() > policy.maxBytes)
      if (!task || !more) break
      const result = trim(task.number, Math.max(1, policy.keepPerTask), PRUNE_BATCH - removed)
      removed += result.removed
      lastSeq = Math.max(lastSeq, result.lastSeq)
      if (!result.ended) continue
      removeDeliveries.run(task.id)
      markTrimmed.run(task.number)
    }
    const completeFrom = Number(meta.get('completeFromSeq') ?? 1)
    if (lastSeq + 1 > completeFrom) meta.set('completeFromSeq', String(lastSeq + 1))
    return { removed, more }
  }
}
