import type Database from 'better-sqlite3'
import type { Store, StoredDelivery } from './store.ts'

interface Row {
  id: number
  taskId: string
  kind: StoredDelivery['kind']
  ticketId: string | null
  payload: string
  createdAt: number
  attempts: number
  nextAttemptAt: number
  deliveredAt: number | null
  lastError: string | null
}

const columns = `id, task_id AS taskId, kind, ticket_id AS ticketId, payload, created_at AS createdAt, attempts,
  next_attempt_at AS nextAttemptAt, delivered_at AS deliveredAt, last_error AS lastError`
const isPending = 'delivered_at IS NULL AND dropped = 0'

/** What must reach an executor. An id is never given out twice. */
export function createDeliveries(db: Database.Database): Store['deliveries'] {
  const insert = db.prepare(
    `INSERT INTO deliveries (task_id, kind, ticket_id, payload, created_at, next_attempt_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const selectPending = db.prepare<[], Row>(
    `SELECT ${columns} FROM deliveries WHERE ${isPending} ORDER BY id`,
  )
  const selectPendingOfTask = db.prepare<[string], Row>(
    `SELECT ${columns} FROM deliveries WHERE ${isPending} AND task_id = ? ORDER BY id`,
  )
  const attempted = db.prepare(
    'UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = ?, last_error = ? WHERE id = ?',
  )
  const delivered = db.prepare(
    'UPDATE deliveries SET delivered_at = ?, last_error = NULL WHERE id = ? AND delivered_at IS NULL',
  )
  const drop = db.prepare(`UPDATE deliveries SET dropped = 1 WHERE ${isPending} AND task_id = ?`)

  return {
    add({ taskId, kind, ticketId, payload, createdAt }) {
      const json = JSON.stringify(payload)
      const { lastInsertRowid } = insert.run(taskId, kind, ticketId ?? null, json, createdAt, createdAt)
      return {
        id: Number(lastInsertRowid),
        taskId,
        kind,
        ticketId,
        payload,
        createdAt,
        attempts: 0,
        nextAttemptAt: createdAt,
        deliveredAt: undefined,
        lastError: undefined,
      }
    },
    pending: (taskId) =>
      (taskId === undefined ? selectPending.all() : selectPendingOfTask.all(taskId)).map(deliveryOf),
    attempted(id, nextAttemptAt, error) {
      attempted.run(nextAttemptAt, error, id)
    },
    delivered(id, at) {
      delivered.run(at, id)
    },
    drop(taskId) {
      drop.run(taskId)
    },
  }
}

function deliveryOf(row: Row): StoredDelivery {
  return {
    ...row,
    ticketId: row.ticketId ?? undefined,
    payload: JSON.parse(row.payload) as StoredDelivery['payload'],
    deliveredAt: row.deliveredAt ?? undefined,
    lastError: row.lastError ?? undefined,
  }
}
