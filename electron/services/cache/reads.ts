import type Database from 'better-sqlite3'
import { sections, troubleOf } from './lines.ts'
import { parseTask } from './rows.ts'
import type { Cache } from './types.ts'

const MAX_TROUBLED = 1_000
const MAX_REPOSITORIES = 50

/** Reads over all hosts at once. */
export function createReads(db: Database.Database) {
  type Row = { host: string; task: string; summary: string | null }
  const selectTroubled = db.prepare<[number, number], Row>(
    `SELECT tasks.host, task, summary FROM inbox INDEXED BY inbox_order JOIN tasks ON tasks.id = inbox.id / 2
     WHERE section = ? ORDER BY sort, inbox.host LIMIT ?`,
  )
  // Of all lines only those of failed tasks go by themselves; they stand among the reviews, of which there may be many.
  const selectFailed = db.prepare<[number], Row>(
    `SELECT tasks.host, task, summary FROM inbox INDEXED BY inbox_expires JOIN tasks ON tasks.id = inbox.id / 2
     WHERE expires IS NOT NULL ORDER BY expires DESC LIMIT ?`,
  )
  const selectRepositories = db
    .prepare<[number], string>(
      `SELECT local_repo FROM tasks INDEXED BY tasks_by_repo WHERE local_repo IS NOT NULL
       GROUP BY local_repo ORDER BY max(created_at) DESC LIMIT ?`,
    )
    .pluck()

  return {
    troubled(): ReturnType<Cache['troubled']> {
      const lost = selectTroubled.all(sections.indexOf('offline'), MAX_TROUBLED)
      const rows = [...lost, ...selectFailed.all(MAX_TROUBLED - lost.length)]
      return rows.flatMap(({ host, task: json, summary }) => {
        const task = parseTask(json, summary)
        const trouble = troubleOf(task)
        return trouble ? [{ host, task, ...trouble }] : []
      })
    },
    repositories: () => selectRepositories.all(MAX_REPOSITORIES),
  }
}
