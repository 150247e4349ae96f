import type Database from 'better-sqlite3'
import { answerSchema, type Answer } from '../../../shared/domain/ticket.ts'
import type { WireError } from '../../../shared/errors.ts'
import { parseJson } from '../../../shared/json.ts'
import { wireErrorSchema } from '../../../shared/wire-error.ts'
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

/** Which desk sends: two desks of one home share the file. */
export interface Claimant {
  /** Names this desk; begins with its process id. */
  owner: string
  /** Whether the desk of that name may still be at it. */
  isAlive(owner: string): boolean
  /** How long this machine has run: the same for all programs, and not changed by whoever sets the clock. */
  uptimeMs(): number
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
  claimed_by: string | null
  claimed_at: number | null
}

/** Finished entries that are kept for the record. */
const FINISHED_KEPT = 200
/** A try to send ends long before; a claim that is older, or of a time before the machine was started, was left behind. */
const CLAIM_HOLDS_MS = 90_000

/** The entries in the database; every write is on the disk when it returns. Throws what SQLite throws. */
export function createEntries(db: Database.Database, claimant: Claimant) {
  const { owner } = claimant
  const select = db.prepare<[], Row>('SELECT * FROM outbox WHERE finished_at IS NULL ORDER BY seq')
  const one = db.prepare<[string], Row>('SELECT * FROM outbox WHERE id = ? AND finished_at IS NULL')
  const insert = db.prepare(
    `INSERT INTO outbox (seq, id, host, host_id, task_id, ticket_id, kind, request_id, answer, created_at, state, seen,
       attempts, error, tried_at)
     VALUES (@seq, @id, @host, @hostId, @taskId, @ticketId, @kind, @requestId, @answer, @createdAt, @state, @seen,
       @attempts, @error, @triedAt)`,
  )
  const update = db.prepare(
    `UPDATE outbox SET state = ?, attempts = ?, error = ?, tried_at = ?, claimed_by = NULL, claimed_at = NULL
     WHERE id = ? AND finished_at IS NULL AND (claimed_by IS NULL OR claimed_by = ?)`,
  )
  const claim = db.prepare(
    `UPDATE outbox SET state = 'sending', attempts = ?, tried_at = ?, claimed_by = ?, claimed_at = ? WHERE id = ?`,
  )
  const finish = db.prepare(
    "UPDATE outbox SET state = 'finished', outcome = ?, error = ?, finished_at = ? WHERE id = ? AND finished_at IS NULL",
  )
  const tidy = db.prepare(
    `DELETE FROM outbox WHERE seq IN
       (SELECT seq FROM outbox WHERE finished_at IS NOT NULL ORDER BY finished_at DESC, seq DESC LIMIT -1 OFFSET ?)`,
  )
  const outcome = db.prepare<[string], string>('SELECT outcome FROM outbox WHERE id = ?').pluck()
  const taken = db.prepare('SELECT 1 FROM outbox WHERE id = @id OR request_id = @requestId')
  const seqTaken = db.prepare('SELECT 1 FROM outbox WHERE seq = ?')

  /** Another desk is sending it at this moment. */
  function isElsewhere(row: Row): boolean {
    if (row.state !== 'sending' || row.claimed_by === null || row.claimed_by === owner) return false
    const ageMs = claimant.uptimeMs() - (row.claimed_at ?? Infinity)
    return ageMs >= 0 && ageMs < CLAIM_HOLDS_MS && claimant.isAlive(row.claimed_by)
  }

  const put = (entry: Omit<Entry, 'seq'>, seq: number | null): Entry => {
    const { hostId = null, ticketId = null, seen = null, triedAt = null } = entry
    const answer = JSON.stringify(entry.answer)
    const row = { ...entry, seq, hostId, ticketId, seen, triedAt, answer, error: textOf(entry.error) }
    return { ...entry, seq: Number(insert.run(row).lastInsertRowid) }
  }

  return {
    /** What has not ended, in order of creation. `unreadable` counts what is left alone because this version cannot read it. */
    pending(): { entries: Entry[]; unreadable: number } {
      const rows = select.all()
      const entries = rows.flatMap((row) => entryOf(row, isElsewhere(row)) ?? [])
      return { entries, unreadable: rows.length - entries.length }
    },
    /** Adds an entry unless `refuse`, which sees what has not ended in any desk, throws. */
    add(entry: Omit<Entry, 'seq'>, refuse: (pending: Entry[]) => void = () => undefined): Entry {
      return db
        .transaction(() => {
          refuse(select.all().flatMap((row) => entryOf(row, isElsewhere(row)) ?? []))
          return put(entry, null)
        })
        .immediate()
    },
    /** Puts back what only memory has; its place in the order is kept where it is free. */
    restore(entry: Entry): void {
      if (taken.get({ id: entry.id, requestId: entry.requestId }) !== undefined) return
      put(entry, seqTaken.get(entry.seq) === undefined ? entry.seq : null)
    },
    /** Makes this desk the one that sends it. */
    claim({ id, attempts, triedAt }: Entry): 'ours' | 'ended' | 'elsewhere' {
      return db
        .transaction(() => {
          const row = one.get(id)
          if (row === undefined) return 'ended'
          if (isElsewhere(row)) return 'elsewhere'
          claim.run(attempts, triedAt ?? null, owner, claimant.uptimeMs(), id)
          return 'ours'
        })
        .immediate()
    },
    /** Keeps a state; a claim of this desk ends with it. */
    save({ id, state, attempts, error, triedAt }: Entry): void {
      update.run(state, attempts, textOf(error), triedAt ?? null, id, owner)
    },
    finish(id: string, { as, at, error }: { as: Ending; at: number; error?: WireError | undefined }): void {
      db.transaction(() => {
        finish.run(as, textOf(error), at, id)
        tidy.run(FINISHED_KEPT)
      }).immediate()
    },
    /** Ends an entry that no desk is sending; false when it is being sent or has ended. */
    takeBack(id: string, at: number): boolean {
      return db
        .transaction(() => {
          const row = one.get(id)
          if (row === undefined || isElsewhere(row)) return false
          return finish.run('discarded', row.error, at, id).changes > 0
        })
        .immediate()
    },
    /** How an entry ended; undefined while it has not, or when it is not known any more. */
    outcome: (id: string): string | undefined => outcome.get(id) ?? undefined,
  }
}

/** The entries of one open database. */
export type Entries = ReturnType<typeof createEntries>

const textOf = (error: WireError | undefined): string | null =>
  error === undefined ? null : JSON.stringify(error)

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

function entryOf(row: Row, isElsewhere: boolean): Entry | undefined {
  const answer = answerSchema.safeParse(parseJson(row.answer))
  if (!answer.success) return undefined
  const error = row.error === null ? undefined : wireErrorSchema.safeParse(parseJson(row.error)).data
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
    state: isElsewhere ? 'sending' : row.state === 'failed' ? 'failed' : 'queued',
    attempts: row.attempts,
    error: row.state === 'sending' && !isElsewhere ? (error ?? endedWhileSending) : error,
    seen: row.seen ?? undefined,
    triedAt: row.tried_at ?? undefined,
  }
}

const endedWhileSending: WireError = {
  code: 'connection_lost',
  message: 'Handoff ended while this was being sent; the host may have it already.',
}
