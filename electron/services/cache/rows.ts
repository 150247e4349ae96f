import type Database from 'better-sqlite3'
import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { isTicketOf } from '../../../shared/domain/ticket-id.ts'
import { createBoundedMap } from './bounded-map.ts'
import { createOpenTickets, type OpenTicket } from './open-tickets.ts'
import { looksTheSame, searchText, ticketLine, troubleLine, type Line } from './lines.ts'

/** A task as it lies in the database. */
export interface KeptTask {
  rowId: number
  task: Task
}

/** Which repositories of a task lie on this machine. */
export type LocalRepo = (host: string, task: Task) => string | undefined

type TaskRecord = { rowId: number; json: string; summary: string | null }

/** Tasks and tickets that were read or written last are kept as objects; only this program writes to the file. */
const MAX_OBJECTS = 10_000

/**
 * Reading and writing single tasks and tickets; lines of the inbox follow by themselves. Writes belong into a transaction;
 * after one that was rolled back, `forgetObjects` must be called. What is given out is shared: nobody may write to it.
 */
export function createRows(db: Database.Database, { localRepo }: { localRepo: LocalRepo }) {
  const sql = prepareRows(db)
  const tasks = createBoundedMap<string, KeptTask>(MAX_OBJECTS)
  const tickets = createBoundedMap<string, Ticket>(MAX_OBJECTS)
  const waiting = createOpenTickets({ hosts: () => sql.selectHosts.all(), load: readOpen })

  function saveLine(id: number, host: string, line: Line | undefined): void {
    if (line === undefined) sql.removeLine.run(id)
    else {
      const { section, sort, expires = null, search, row } = line
      sql.putLine.run(id, host, section, sort, expires, search, JSON.stringify(row))
    }
  }

  function task(host: string, taskId: string): KeptTask | undefined {
    const known = tasks.get(`${host}/${taskId}`)
    if (known) return known
    const found = sql.selectTask.get(host, taskId)
    if (!found) return undefined
    const kept = { rowId: found.rowId, task: parseTask(found.json, found.summary) }
    tasks.set(`${host}/${taskId}`, kept)
    return kept
  }

  function ticket(host: string, ticketId: string): Ticket | undefined {
    const known = tickets.get(`${host}/${ticketId}`)
    if (known) return known
    const json = sql.selectTicket.get(host, ticketId)
    if (json === undefined) return undefined
    const read = JSON.parse(json) as Ticket
    tickets.set(`${host}/${ticketId}`, read)
    return read
  }

  function saveTroubleLine(host: string, { rowId, task }: KeptTask, before: Task | undefined): void {
    const line = troubleLine(host, task)
    if (line === undefined && (before === undefined || troubleLine(host, before) === undefined)) return
    const isHidden = task.state === 'failed' && sql.hasSeen.get(host, task.id) !== undefined
    saveLine(rowId * 2 + 1, host, isHidden ? undefined : line)
  }

  function writeTask(host: string, task: Task, kept: KeptTask | undefined): number {
    const { summary = null, ...rest } = task
    const json = JSON.stringify(rest)
    const [before, rowId] = [kept?.task, kept?.rowId]
    if (before === undefined || rowId === undefined) {
      const columns = [localRepo(host, task) ?? null, searchText(host, task, ''), json, summary]
      const { lastInsertRowid } = sql.insertTask.run(host, task.id, task.state, task.createdAt, ...columns)
      return Number(lastInsertRowid)
    }
    if (!looksTheSame(before, task) || before.createdAt !== task.createdAt)
      sql.updateTaskWords.run(
        task.createdAt,
        localRepo(host, task) ?? null,
        searchText(host, task, ''),
        rowId,
      )
    if (before.state !== task.state) sql.updateTaskState.run(task.state, json, summary, rowId)
    else sql.updateTask.run(json, summary, rowId)
    return rowId
  }

  function saveTask(host: string, task: Task, kept: KeptTask | undefined): void {
    const saved = { rowId: writeTask(host, task, kept), task }
    tasks.set(`${host}/${task.id}`, saved)
    waiting.taskSaved(host, task)
    saveTroubleLine(host, saved, kept?.task)
    if (!kept || looksTheSame(kept.task, task)) return
    for (const { rowId, ticketId } of openOf(host, task.id)) {
      const open = ticket(host, ticketId)
      if (open) saveLine(rowId * 2, host, ticketLine(host, open, task))
    }
  }

  function readOpen(host: string, limit: number): OpenTicket[] {
    return sql.selectOpen.all(host, limit).map((json) => {
      const found = JSON.parse(json) as Ticket
      return { host, ticket: found, task: task(host, found.taskId)?.task }
    })
  }

  const openOf = (host: string, taskId: string) => sql.selectOpenOfTask.all(host, `${taskId}:`, `${taskId};`)

  return {
    task,
    ticket,
    saveTask,
    ticketsOf: (host: string, taskId: string): Ticket[] =>
      sql.selectOfTask.all(host, `${taskId}:`, `${taskId};`).map((json) => JSON.parse(json) as Ticket),
    /** The open tickets of a task and those that are named. */
    ticketsFor(host: string, taskId: string, named: ReadonlySet<string>): Ticket[] {
      const ids = new Set(openOf(host, taskId).map(({ ticketId }) => ticketId))
      for (const id of named) if (isTicketOf(id, taskId)) ids.add(id)
      return [...ids].flatMap((id) => ticket(host, id) ?? [])
    },
    saveTicket(host: string, ticket: Ticket, task: Task): void {
      const isOpen = ticket.state === 'open'
      const json = JSON.stringify(ticket)
      const rowId = sql.upsertTicket.get(host, ticket.id, isOpen ? 1 : 0, ticket.openedAt, json)
      if (rowId === undefined) throw new Error('an upsert gave back no row')
      tickets.set(`${host}/${ticket.id}`, ticket)
      waiting.saved({ host, ticket, task })
      saveLine(rowId * 2, host, isOpen ? ticketLine(host, ticket, task) : undefined)
    },
    /** Makes the line of a task in trouble anew, after its seen mark has changed. */
    refreshTrouble(host: string, kept: KeptTask): void {
      saveTroubleLine(host, kept, kept.task)
    },
    removeTicket(host: string, ticketId: string, rowId: number): void {
      sql.removeLine.run(rowId * 2)
      sql.removeTicket.run(rowId)
      tickets.delete(`${host}/${ticketId}`)
      waiting.removed(host, ticketId)
    },
    /** Its tickets have to be gone already. */
    removeTask(host: string, taskId: string, rowId: number): void {
      sql.removeLine.run(rowId * 2 + 1)
      sql.removeTask.run(rowId)
      tasks.delete(`${host}/${taskId}`)
    },
    /** The open tickets of all hosts, what has waited longest first. The list is shared too. */
    openTickets: (): readonly OpenTicket[] => waiting.list(),
    /** What is kept as objects no longer counts: rows were removed, or a transaction was rolled back. */
    forgetObjects(): void {
      tasks.clear()
      tickets.clear()
      waiting.forget()
    },
  }
}

/** Single tasks and tickets of the cache. */
export type Rows = ReturnType<typeof createRows>

/** Puts a task together from its two columns. */
export function parseTask(json: string, summary: string | null): Task {
  const task = JSON.parse(json) as Task
  return summary === null ? task : { ...task, summary }
}

function prepareRows(db: Database.Database) {
  return {
    insertTask: db.prepare(
      `INSERT INTO tasks (host, task_id, state, created_at, local_repo, search, task, summary)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    // Three updates, because most events leave everything alone that an index knows.
    updateTask: db.prepare('UPDATE tasks SET task = ?, summary = ? WHERE id = ?'),
    updateTaskState: db.prepare('UPDATE tasks SET state = ?, task = ?, summary = ? WHERE id = ?'),
    updateTaskWords: db.prepare('UPDATE tasks SET created_at = ?, local_repo = ?, search = ? WHERE id = ?'),
    selectTask: db.prepare<[string, string], TaskRecord>(
      'SELECT id AS rowId, task AS json, summary FROM tasks WHERE host = ? AND task_id = ?',
    ),
    upsertTicket: db
      .prepare<unknown[], number>(
        `INSERT INTO tickets (host, ticket_id, is_open, opened_at, ticket) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (host, ticket_id) DO UPDATE SET is_open = excluded.is_open, opened_at = excluded.opened_at,
           ticket = excluded.ticket
         RETURNING id`,
      )
      .pluck(),
    selectTicket: db
      .prepare<[string, string], string>('SELECT ticket FROM tickets WHERE host = ? AND ticket_id = ?')
      .pluck(),
    selectOpen: db
      .prepare<[string, number], string>(
        `SELECT ticket FROM tickets INDEXED BY tickets_newest WHERE is_open = 1 AND host = ?
         ORDER BY opened_at DESC LIMIT ?`,
      )
      .pluck(),
    selectHosts: db.prepare<[], string>('SELECT DISTINCT host FROM counts').pluck(),
    selectOpenOfTask: db.prepare<[string, string, string], { rowId: number; ticketId: string }>(
      `SELECT id AS rowId, ticket_id AS ticketId FROM tickets INDEXED BY tickets_open
       WHERE is_open = 1 AND host = ? AND ticket_id >= ? AND ticket_id < ?`,
    ),
    selectOfTask: db
      .prepare<[string, string, string], string>(
        `SELECT ticket FROM tickets INDEXED BY tickets_by_name WHERE host = ? AND ticket_id >= ? AND ticket_id < ?
         ORDER BY opened_at DESC, id DESC`,
      )
      .pluck(),
    ...prepareLines(db),
  }
}

function prepareLines(db: Database.Database) {
  return {
    putLine: db.prepare(
      `INSERT INTO inbox (id, host, section, sort, expires, search, line) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET section = excluded.section, sort = excluded.sort,
         expires = excluded.expires, search = excluded.search, line = excluded.line`,
    ),
    removeLine: db.prepare('DELETE FROM inbox WHERE id = ?'),
    removeTicket: db.prepare('DELETE FROM tickets WHERE id = ?'),
    removeTask: db.prepare('DELETE FROM tasks WHERE id = ?'),
    hasSeen: db.prepare<[string, string]>('SELECT 1 FROM seen WHERE host = ? AND task_id = ?'),
  }
}
