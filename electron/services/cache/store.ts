import type Database from 'better-sqlite3'
import { isDeepStrictEqual } from 'node:util'
import { projectEvents, ticketsNamed } from '../../../shared/domain/projection.ts'
import { isOver, type Task } from '../../../shared/domain/task.ts'
import { isFurther, type Ticket } from '../../../shared/domain/ticket.ts'
import { isTicketOf } from '../../../shared/domain/ticket-id.ts'
import type { Snapshot, SnapshotPart } from '../../../shared/node/host-client/snapshot-reader.ts'
import { eventMark, type WireEvent } from '../../../shared/protocol/records.ts'
import { createArriving } from './arriving.ts'
import { createRows, type LocalRepo } from './rows.ts'

/** How often a task that is not known is asked for over connections; one the host does not have either is given up then. */
const MAX_ASKED = 5
const TASK_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a change of the cache was about. */
export interface Touched {
  tasks: Set<string>
  /** Tasks that the host has to be asked for. */
  unknown: string[]
  /** Nothing is missing between what was kept and these events; otherwise a snapshot is wanted. */
  isComplete: boolean
}

/** Everything that writes to the cache; each call is one transaction. */
export function createStore(db: Database.Database, { localRepo }: { localRepo: LocalRepo }) {
  const rows = createRows(db, { localRepo })
  const arriving = createArriving(db, rows)
  const selectHost = db.prepare<
    [string],
    { hostId: string | null; headSeq: number | null; headMark: string | null }
  >('SELECT host_id AS hostId, head_seq AS headSeq, head_mark AS headMark FROM hosts WHERE host = ?')
  const setHead = db.prepare<[string, number | null, string | null]>(
    `INSERT INTO hosts (host, head_seq, head_mark) VALUES (?, ?, ?)
     ON CONFLICT (host) DO UPDATE SET head_seq = excluded.head_seq, head_mark = excluded.head_mark`,
  )
  const setHostId = db.prepare(
    'INSERT INTO hosts (host, host_id) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET host_id = excluded.host_id',
  )
  const want = db.prepare('INSERT INTO wanted (host, task_id, asked) VALUES (?, ?, 0) ON CONFLICT DO NOTHING')
  const unwantAll = db.prepare('DELETE FROM wanted WHERE host = ?')
  const unwant = db.prepare('DELETE FROM wanted WHERE host = ? AND task_id = ?')
  const removeOf = (tables: string[]) =>
    tables.map((name) => db.prepare(`DELETE FROM ${name} WHERE host = ?`))
  const removeData = removeOf(['inbox', 'tickets', 'tasks', 'wanted'])
  const removeRest = removeOf(['hosts', 'seen', 'counts'])
  const tidySeen = db.prepare(
    `DELETE FROM seen WHERE host = ? AND NOT EXISTS
       (SELECT 1 FROM tasks WHERE tasks.host = seen.host AND tasks.task_id = seen.task_id)`,
  )

  function saveTickets(host: string, tickets: readonly Ticket[], task: Task): void {
    // One with the id of another task would be shown, and answered, as that task's.
    for (const ticket of tickets) if (isTicketOf(ticket.id, task.id)) rows.saveTicket(host, ticket, task)
  }

  /** Applies the events of one task; false when the host must be asked for it. */
  function follow(host: string, taskId: string, events: readonly WireEvent[]): boolean {
    const kept = rows.task(host, taskId)
    if (!kept) return false
    const tickets = rows.ticketsFor(host, taskId, ticketsNamed(events.filter(isAboutKnown(kept.task))))
    const after = projectEvents({ task: kept.task, tickets }, events)
    if (after.task !== kept.task) rows.saveTask(host, after.task, kept)
    saveTickets(host, after.tickets, after.task)
    return !after.needsTask
  }

  /** The newest event up to which nothing is missing; null when a snapshot is wanted. */
  function headAfter(head: number | undefined, fresh: readonly WireEvent[]): number | null {
    let last = head ?? 0
    for (const { seq } of fresh) {
      if (seq !== last + 1) return null
      last = seq
    }
    return last
  }

  function onEvents(host: string, events: readonly WireEvent[]): Touched {
    const head = selectHost.get(host)?.headSeq ?? undefined
    const fresh = head === undefined ? events : events.filter(({ seq }) => seq > head)
    const touched: Touched = { tasks: new Set(), unknown: [], isComplete: true }
    for (const [taskId, mine] of byTask(fresh)) {
      if (follow(host, taskId, mine)) touched.tasks.add(`${host}/${taskId}`)
      else if (TASK_ID.test(taskId)) {
        want.run(host, taskId)
        touched.unknown.push(taskId)
      }
    }
    const newest = fresh.at(-1)
    if (newest === undefined) return touched
    const next = headAfter(head, fresh)
    setHead.run(host, next, next === null ? null : eventMark(newest))
    return { ...touched, isComplete: next !== null }
  }

  function onSnapshot(host: string, { headSeq, tasks, tickets, mark }: Snapshot): void {
    arriving.abandon(host)
    for (const remove of removeData) remove.run(host)
    rows.forgetObjects()
    const byId = new Map<string, Task>()
    for (const task of tasks) {
      if (byId.has(task.id)) continue
      byId.set(task.id, task)
      rows.saveTask(host, task, undefined)
    }
    const named = new Set<string>()
    for (const ticket of tickets) {
      const task = byId.get(ticket.taskId)
      if (!task || named.has(ticket.id) || !isTicketOf(ticket.id, task.id)) continue
      named.add(ticket.id)
      rows.saveTicket(host, ticket, task)
    }
    tidySeen.run(host)
    setHead.run(host, headSeq, mark ?? null)
  }

  /** The tasks that changed, and whether all is done; undefined when the beginning is missing. */
  function onSnapshotPart(
    host: string,
    part: SnapshotPart,
  ): { tasks: Set<string>; isDone: boolean } | undefined {
    if (part.first) setHead.run(host, null, null)
    const arrived = arriving.take(host, part)
    if (arrived === undefined) return undefined
    if (arrived.isDone) {
      unwantAll.run(host)
      tidySeen.run(host)
      setHead.run(host, part.headSeq, part.mark ?? null)
    }
    return { tasks: new Set([...arrived.changed].map((id) => `${host}/${id}`)), isDone: arrived.isDone }
  }

  function forget(host: string): void {
    arriving.abandon(host)
    for (const remove of [...removeData, ...removeRest]) remove.run(host)
    rows.forgetObjects()
  }

  /** One transaction; when it is rolled back, so are the objects. */
  function whole<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
    const run = inTransaction(db, work)
    return (...args) => {
      try {
        return run(...args)
      } catch (error) {
        rows.forgetObjects()
        arriving.abandon()
        throw error
      }
    }
  }

  return {
    rows,
    headSeq: (host: string) => selectHost.get(host)?.headSeq ?? undefined,
    headMark: (host: string) => selectHost.get(host)?.headMark ?? undefined,
    hostId: (host: string) => selectHost.get(host)?.hostId ?? undefined,
    onEvents: whole(onEvents),
    onSnapshot: whole(onSnapshot),
    onSnapshotPart: whole(onSnapshotPart),
    forget: whole(forget),
    /** Another machine than before: nothing of what is kept is its. Says whether something was dropped. */
    onWelcome: whole((host: string, hostId: string): boolean => {
      const before = selectHost.get(host)?.hostId ?? undefined
      if (before === hostId) return false
      const isOther = before !== undefined
      if (isOther) forget(host)
      setHostId.run(host, hostId)
      return isOther
    }),
    put: whole((host: string, task: Task, tickets: readonly Ticket[]): boolean => {
      unwant.run(host, task.id)
      const kept = rows.task(host, task.id)
      if (kept && kept.task.lastSeq > task.lastSeq) return false
      const mine = tickets.filter((ticket) => isTicketOf(ticket.id, task.id))
      // Who reads a task again because it has changed must not find that reading it was a change.
      const isNews = (ticket: Ticket) => !isDeepStrictEqual(rows.ticket(host, ticket.id), ticket)
      if (kept && isDeepStrictEqual(kept.task, task) && !mine.some(isNews)) return false
      rows.saveTask(host, task, kept)
      saveTickets(host, mine, task)
      if (isOver(task.state)) saveTickets(host, leftOpen(rows.ticketsOf(host, task.id)), task)
      return true
    }),
    putTicket: whole((host: string, ticket: Ticket): boolean => {
      const task = rows.task(host, ticket.taskId)?.task
      const kept = rows.ticket(host, ticket.id)
      if (!task || !isTicketOf(ticket.id, task.id)) return false
      if (kept && isFurther(kept.state, ticket.state)) return false
      if (isDeepStrictEqual(kept, ticket)) return false
      rows.saveTicket(host, ticket, task)
      return true
    }),
    markSeen: markSeen(db, rows),
    wanted: wantedAgain(db),
    sweep: createSweep(db),
  }
}

function inTransaction<A extends unknown[], T>(db: Database.Database, work: (...args: A) => T) {
  const run = db.transaction(work)
  return (...args: A): T => run(...args)
}

const opening: ReadonlySet<string> = new Set(['permission_request', 'question', 'completed', 'turn_failed'])

/** What opens a ticket that the task has not seen names one that is not here; looking for each of a thousand takes long. */
function isAboutKnown(task: Task) {
  return ({ seq, type }: WireEvent) => seq <= task.lastSeq || !opening.has(type)
}

/** A task that is over waits for nothing; the events that say so are still on their way. */
function leftOpen(tickets: readonly Ticket[]): Ticket[] {
  return tickets
    .filter((ticket) => ticket.state === 'open')
    .map((ticket) => ({ ...ticket, state: 'expired', closedReason: 'The task is over.' }))
}

function byTask(events: readonly WireEvent[]): Map<string, WireEvent[]> {
  const groups = new Map<string, WireEvent[]>()
  for (const event of events) {
    const group = groups.get(event.taskId)
    if (group) group.push(event)
    else groups.set(event.taskId, [event])
  }
  return groups
}

function markSeen(db: Database.Database, rows: ReturnType<typeof createRows>) {
  const insert = db.prepare('INSERT INTO seen (host, task_id) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return inTransaction(db, (host: string, taskId: string): boolean => {
    const kept = rows.task(host, taskId)
    // A task that has yet to fail has not been seen failing.
    if (!kept || !isOver(kept.task.state) || insert.run(host, taskId).changes === 0) return false
    rows.refreshTrouble(host, kept)
    return true
  })
}

/** The tasks that a host has yet to be asked for, each for a bounded number of connections. */
function wantedAgain(db: Database.Database) {
  const count = db.prepare('UPDATE wanted SET asked = asked + 1 WHERE host = ?')
  const giveUp = db.prepare('DELETE FROM wanted WHERE host = ? AND asked > ?')
  const select = db.prepare<[string], string>('SELECT task_id FROM wanted WHERE host = ?').pluck()
  return inTransaction(db, (host: string): string[] => {
    count.run(host)
    giveUp.run(host, MAX_ASKED)
    return select.all(host)
  })
}

/** Removes the lines whose time is over; says whether there were any. */
function createSweep(db: Database.Database) {
  const next = db
    .prepare<[], number | null>('SELECT min(expires) FROM inbox WHERE expires IS NOT NULL')
    .pluck()
  const remove = db.prepare('DELETE FROM inbox WHERE expires <= ?')
  return (now: number): boolean => {
    const due = next.get()
    return due !== null && due !== undefined && due <= now && remove.run(now).changes > 0
  }
}
