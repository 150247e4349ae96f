import type Database from 'better-sqlite3'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { Store } from './store.ts'

const AFTER_EVERY_ID = '\u{10ffff}'

/** Tickets. Open ones come oldest first (what has waited longest), histories newest first. */
export function createTickets(db: Database.Database): Store['tickets'] {
  const upsert = db.prepare(
    `INSERT INTO tickets (id, task_id, state, opened_at, ticket) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, ticket = excluded.ticket`,
  )
  const json = (sql: string) => db.prepare<unknown[], string>(sql).pluck()
  const select = json('SELECT ticket FROM tickets WHERE id = ?')
  const selectOpen = json("SELECT ticket FROM tickets WHERE state = 'open' ORDER BY opened_at, id LIMIT ?")
  const selectOpenOfTask = json(
    "SELECT ticket FROM tickets WHERE state = 'open' AND task_id = ? ORDER BY opened_at, id LIMIT ?",
  )
  const selectAll = json('SELECT ticket FROM tickets ORDER BY opened_at DESC, id DESC LIMIT ?')
  const selectOfTask = json(
    'SELECT ticket FROM tickets WHERE task_id = ? ORDER BY opened_at DESC, id DESC LIMIT ?',
  )
  const selectTaskIds = json('SELECT id FROM tasks WHERE id >= ? AND id < ? ORDER BY id')
  const selectByPrefix = json('SELECT ticket FROM tickets WHERE id >= ? AND id < ? ORDER BY id LIMIT ?')
  const parse = (text: string) => JSON.parse(text) as Ticket
  const openFirst = (taskId: string, limit: number): Ticket[] => {
    const open = selectOpenOfTask.all(taskId, limit)
    const rest = open.length < limit ? selectOfTask.all(taskId, limit).map(parse) : []
    return [...open.map(parse), ...rest.filter((ticket) => ticket.state !== 'open')].slice(0, limit)
  }

  return {
    save(ticket) {
      upsert.run(ticket.id, ticket.taskId, ticket.state, ticket.openedAt, JSON.stringify(ticket))
    },
    get(ticketId) {
      const text = select.get(ticketId)
      return text === undefined ? undefined : parse(text)
    },
    open: (taskId) =>
      (taskId === undefined ? selectOpen.all(-1) : selectOpenOfTask.all(taskId, -1)).map(parse),
    find(prefix, limit) {
      const colon = prefix.indexOf(':')
      const taskPrefix = colon === -1 ? prefix : prefix.slice(0, colon)
      const own = colon === -1 ? undefined : prefix.slice(colon + 1)
      const found: Ticket[] = []
      for (const taskId of selectTaskIds.iterate(taskPrefix, taskPrefix + AFTER_EVERY_ID)) {
        const left = limit - found.length
        if (left <= 0) break
        const start = `${taskId}:${own}`
        found.push(
          ...(own === undefined
            ? openFirst(taskId, left)
            : selectByPrefix.all(start, start + AFTER_EVERY_ID, left).map(parse)),
        )
      }
      return found
    },
    ofTask: (taskId, limit) => selectOfTask.all(taskId, limit).map(parse),
    list({ taskId, open, limit }) {
      if (taskId === undefined) return (open ? selectOpen : selectAll).all(limit).map(parse)
      return (open ? selectOpenOfTask : selectOfTask).all(taskId, limit).map(parse)
    },
  }
}
