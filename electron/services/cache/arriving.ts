import type Database from 'better-sqlite3'
import { isDeepStrictEqual } from 'node:util'
import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { isTicketOf, taskIdOf } from '../../../shared/domain/ticket-id.ts'
import type { SnapshotPart } from '../../../shared/node/host-client/snapshot-reader.ts'
import type { Rows } from './rows.ts'

/** About ten milliseconds of work. */
const ROWS_PER_STEP = 200

/** A snapshot that is coming in. */
interface Arriving {
  tasks: Set<string>
  tickets: Set<string>
  /** Tickets that came before their task. */
  early: Ticket[]
  /** What is kept and was not named, in the order of the names: tickets first, because their tasks tell whose they are. */
  sweeping: { what: 'tickets' | 'tasks'; after: string } | 'done'
}

/** What one part changed. */
export interface Arrived {
  /** Ids of tasks. */
  changed: Set<string>
  isDone: boolean
}

/**
 * Merges snapshots into what is kept of a host, a bounded piece at a time, each to be written in a transaction of its own. What is there
 * stays to be seen until it is replaced; what the snapshot does not name goes at the end. Whoever calls sees to it that the host has
 * no resume point meanwhile, so that one that breaks off, by a kill too, is followed by another.
 */
export function createArriving(db: Database.Database, rows: Rows) {
  const arriving = new Map<string, Arriving>()
  const names = {
    tickets: selectNames(db, 'tickets', 'ticket_id'),
    tasks: selectNames(db, 'tasks', 'task_id'),
  }

  function takeTask(
    host: string,
    task: Task,
    { changed, now }: { changed: Set<string>; now: Arriving },
  ): void {
    if (now.tasks.has(task.id)) return
    now.tasks.add(task.id)
    const kept = rows.task(host, task.id)
    if (kept && isDeepStrictEqual(kept.task, task)) return
    rows.saveTask(host, task, kept)
    changed.add(task.id)
  }

  function takeTicket(host: string, ticket: Ticket, changed: Set<string>): void {
    const task = rows.task(host, ticket.taskId)?.task
    if (!task) return
    if (isDeepStrictEqual(rows.ticket(host, ticket.id), ticket)) return
    rows.saveTicket(host, ticket, task)
    changed.add(task.id)
  }

  /** Removes some of what was not named; `sweeping` says how far it is. */
  function sweep(host: string, now: Arriving, changed: Set<string>): void {
    if (now.sweeping === 'done') return
    const { what, after } = now.sweeping
    const found = names[what].all(host, after, ROWS_PER_STEP)
    for (const { rowId, name } of found) {
      if (now[what].has(name)) continue
      if (what === 'tickets') rows.removeTicket(host, name, rowId)
      else rows.removeTask(host, name, rowId)
      changed.add(taskIdOf(name))
    }
    const last = found.at(-1)
    if (last !== undefined) now.sweeping = { what, after: last.name }
    else now.sweeping = what === 'tickets' ? { what: 'tasks', after: '' } : 'done'
  }

  /** One step of what is left after the last part. */
  function finish(host: string, now: Arriving, changed: Set<string>): boolean {
    for (const ticket of now.early.splice(0, ROWS_PER_STEP))
      if (now.tasks.has(ticket.taskId)) takeTicket(host, ticket, changed)
      else now.tickets.delete(ticket.id)
    if (now.early.length > 0) return false
    sweep(host, now, changed)
    if (now.sweeping !== 'done') return false
    arriving.delete(host)
    return true
  }

  return {
    /** Undefined when the beginning of this snapshot is not here: nothing was written. */
    take(host: string, { tasks, tickets, first, last }: SnapshotPart): Arrived | undefined {
      if (first) arriving.set(host, begun())
      const now = arriving.get(host)
      if (now === undefined) return undefined
      const changed = new Set<string>()
      for (const task of tasks) takeTask(host, task, { changed, now })
      for (const ticket of tickets) {
        // One with the id of another task would be shown, and answered, as that task's.
        if (now.tickets.has(ticket.id) || !isTicketOf(ticket.id, ticket.taskId)) continue
        now.tickets.add(ticket.id)
        if (now.tasks.has(ticket.taskId)) takeTicket(host, ticket, changed)
        else now.early.push(ticket)
      }
      return { changed, isDone: last && finish(host, now, changed) }
    },
    /** What comes of this host's snapshot from now on does not count; without a host, of any. */
    abandon(host?: string): void {
      if (host === undefined) arriving.clear()
      else arriving.delete(host)
    },
  }
}

function begun(): Arriving {
  return { tasks: new Set(), tickets: new Set(), early: [], sweeping: { what: 'tickets', after: '' } }
}

function selectNames(db: Database.Database, table: string, name: string) {
  return db.prepare<[string, string, number], { rowId: number; name: string }>(
    `SELECT id AS rowId, ${name} AS name FROM ${table} INDEXED BY ${table}_by_name
     WHERE host = ? AND ${name} > ? ORDER BY ${name} LIMIT ?`,
  )
}
