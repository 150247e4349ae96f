import type Database from 'better-sqlite3'
import type { Actor } from '../../shared/domain/actor.ts'
import type { AuditEntry } from '../../shared/protocol/records.ts'
import type { Store } from './store.ts'

interface Row {
  id: number
  at: number
  taskId: string | null
  ticketId: string | null
  decision: string
  by: string
  ruleId: string | null
  text: string
  detail: string | null
}

const columns = `id, at, task_id AS taskId, ticket_id AS ticketId, decision, by_actor AS "by", rule_id AS ruleId,
  text, detail`

/** Every decision, newest first. The database itself refuses to change or remove an entry. */
export function createAudit(db: Database.Database): Store['audit'] {
  const insert = db.prepare(
    `INSERT INTO audit (at, task_id, ticket_id, decision, by_actor, rule_id, text, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = db.prepare<[number, number], Row>(
    `SELECT ${columns} FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?`,
  )
  const selectOfTask = db.prepare<[string, number, number], Row>(
    `SELECT ${columns} FROM audit WHERE task_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )

  return {
    add({ at, taskId, ticketId, decision, by, ruleId, text, detail }) {
      const optional = (value: string | undefined) => value ?? null
      insert.run(
        at,
        optional(taskId),
        optional(ticketId),
        decision,
        JSON.stringify(by),
        optional(ruleId),
        text,
        optional(detail),
      )
    },
    list({ taskId, limit, beforeId = Number.MAX_SAFE_INTEGER }) {
      const rows =
        taskId === undefined ? select.all(beforeId, limit) : selectOfTask.all(taskId, beforeId, limit)
      return rows.map(entryOf)
    },
  }
}

function entryOf({ taskId, ticketId, ruleId, detail, by, ...row }: Row): AuditEntry {
  return {
    ...row,
    by: JSON.parse(by) as Actor,
    ...(taskId === null ? {} : { taskId }),
    ...(ticketId === null ? {} : { ticketId }),
    ...(ruleId === null ? {} : { ruleId }),
    ...(detail === null ? {} : { detail }),
  }
}
