import type Database from 'better-sqlite3'
import { answerSchema, type Answer } from '../../../shared/domain/ticket.ts'
import { wireErrorSchema, type WireError } from '../../../shared/errors.ts'
import type { OutboxEntry } from '../../../shared/ipc/work-calls.ts'

/** An answer or instruction on its way. */
export interface Entry {
  /** Rises with each entry: the order of creation. */
  seq: number
  id: string
  host: string
  hostId: string | undefined
  taskId: string
  ticketId: string | undefined
  kind: 'answer' | 'continue'
  requestId: string
  answer: Answer
  createdAt: number
  state: 'queued' | 'sending' | 'failed'
  attempts: number
  error: WireError | undefined
  /** `askDigest` of what it answers, where that was known. */
  seen?: string | undefined
  /** When it was first sent (ms since the epoch). */
  triedAt?: number | undefined
}

/** How an entry ended. */
export type Ending = 'applied' | 'already_answered' | 'expired' | 'refused' | 'discarded' | 'replaced'

type Row = {
  seq: number
  id: string
  host: string
  host_id: string | null
  task_id: string
  ticket_id: string | null
  kind: 'answer' | 'continue'
  request_id: string
  answer: string
  created_at: number
  state: string
  attempts: number
  error: string | null
  seen: string | null
  tried_at: number | null
}

/** Finished entries that are kept for the record. */
const FINISHED_KEPT = 200

/** The entries in the database; every write is on the disk when it returns. Throws what SQLite throws. */
export function createEntries(db: Database.Database) {
  const select = db.prepare<[], Row>('SELECT * FROM outbox WHERE finished_at IS NULL ORDER BY seq')
  const insert = db.prepare(
    `INSERT INTO outbox (id, host, host_id, task_id, ticket_id, kind, request_id, answer, created_at, state, seen)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = db.prepare(
    'UPDATE outbox SET state = ?, attempts = ?, error = ?, tried_at = ? WHERE id = ? AND finished_at IS NULL',
  )
  const finish = db.prepare(
    "UPDATE outbox SET state = 'finished', outcome = ?, error = ?, finished_at = ? WHERE id = ? AND finished_at IS NULL",
  )
  const tidy = db.prepare(
    `DELETE FROM outbox WHERE seq IN
       (SELECT seq FROM outbox WHERE finished_at IS NOT NULL ORDER BY finished_at DESC, seq DESC LIMIT -1 OFFSET ?)`,
  )

  return {
    /** What has not ended, in order of creation. `unreadable` counts what is left alone because this version cannot read it. */
    pending(): { entries: Entry[]; unreadable: number } {
      const rows = select.all()
      const entries = rows.flatMap((row) => entryOf(row) ?? [])
      return { entries, unreadable: rows.length - entries.length }
    },
    add(entry: Omit<Entry, 'seq'>): Entry {
      const { lastInsertRowid } = insert.run(
        entry.id,
        entry.host,
        entry.hostId ?? null,
        entry.taskId,
        entry.ticketId ?? null,
        entry.kind,
        entry.requestId,
        JSON.stringify(entry.answer),
        entry.createdAt,
        entry.state,
        entry.seen ?? null,
      )
      return { ...entry, seq: Number(lastInsertRowid) }
    },
    /** False when it has ended meanwhile: another desk of the same home sent it or took it back. */
    save({ id, state, attempts, error, triedAt }: Entry): boolean {
      const text = error === undefined ? null : JSON.stringify(error)
      return update.run(state, attempts, text, triedAt ?? null, id).changes > 0
    },
    finish(id: string, { as, at, error }: { as: Ending; at: number; error?: WireError | undefined }): void {
      db.transaction(() => {
        finish.run(as, error === undefined ? null : JSON.stringify(error), at, id)
        tidy.run(FINISHED_KEPT)
      })()
    },
  }
}

/** An entry as windows see it. */
export function viewOf({ id, host, taskId, ticketId, state, createdAt, answer, error }: Entry): OutboxEntry {
  return {
    id,
    host,
    taskId,
    state,
    createdAt,
    answer,
    ...(ticketId === undefined ? {} : { ticketId }),
    ...(error === undefined ? {} : { error }),
  }
}

function entryOf(row: Row): Entry | undefined {
  const answer = answerSchema.safeParse(readJson(row.answer))
  if (!answer.success) return undefined
  const error = row.error === null ? undefined : wireErrorSchema.safeParse(readJson(row.error)).data
  return {
    seq: row.seq,
    id: row.id,
    host: row.host,
    hostId: row.host_id ?? undefined,
    taskId: row.task_id,
    ticketId: row.ticket_id ?? undefined,
    kind: row.kind,
    requestId: row.request_id,
    answer: answer.data,
    createdAt: row.created_at,
    // Whether the host has got it, nobody knows any more: it is sent again under the same id.
    state: row.state === 'failed' ? 'failed' : 'queued',
    attempts: row.attempts,
    error: row.state === 'sending' ? (error ?? endedWhileSending) : error,
    seen: row.seen ?? undefined,
    triedAt: row.tried_at ?? undefined,
  }
}

const endedWhileSending: WireError = {
  code: 'connection_lost',
  message: 'Handoff ended while this was being sent; the host may have it already.',
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
