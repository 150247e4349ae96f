import Database from 'better-sqlite3'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json.ts'
import type { NotificationRecord } from '../../../shared/ipc/desk-calls.ts'
import type { Remembered } from './types.ts'

const BUSY_TIMEOUT_MS = 2_000
/** Records that are kept; those about tickets of a reviewer must not push out the ones that concern the person. */
export const KEEP_RECORDS = 400
/** The same for those that are not the person's to decide. */
export const KEEP_NOT_FOR_YOU = 100

/** What was notified, over restarts, in `desk.db`. */
export interface NotifiedStore {
  load(): Map<string, Remembered>
  /** Keeps what changed, forgets keys, and adds to the log, in one transaction. */
  keep(what: {
    changed?: ReadonlyMap<string, Remembered>
    forget?: readonly string[]
    records?: readonly NotificationRecord[]
  }): void
  /** Newest first, at most 500. */
  log(): NotificationRecord[]
  /** When this desk was started for the first time (ms since the epoch); `now` when it is. */
  startedAt(now: number): number
  dispose(): void
}

const rowSchema = z.object({
  key: z.string(),
  state: z.enum(['shown', 'withdrawn', 'suppressed']),
  at: z.number(),
  title: z.string().nullable(),
  shown_at: z.number().nullable(),
  route: z.string().nullable(),
  members: z.string().nullable(),
  why: z.string().nullable(),
})

// This file of the desk belongs to the outbox too, so its user_version says nothing about these tables.
const MIGRATIONS = [
  `CREATE TABLE notified (
     key TEXT PRIMARY KEY, state TEXT NOT NULL, at INTEGER NOT NULL, title TEXT, shown_at INTEGER,
     route TEXT, members TEXT, why TEXT
   ) WITHOUT ROWID;
   CREATE TABLE notification_log (
     id INTEGER PRIMARY KEY, key TEXT NOT NULL, at INTEGER NOT NULL, title TEXT NOT NULL,
     outcome TEXT NOT NULL, why TEXT
   );`,
]

/** Opens the tables in `desk.db` (made when missing, 0600 by the folder's and SQLite's rights); `:memory:` forgets. */
export function openNotifiedStore(file: string): NotifiedStore {
  if (file !== ':memory:') mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.transaction(() => migrate(db)).immediate()
    return createStore(db)
  } catch (error) {
    db.close()
    throw error
  }
}

function migrate(db: Database.Database): void {
  db.exec('CREATE TABLE IF NOT EXISTS notified_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL)')
  const version = db.prepare<[], number>("SELECT value FROM notified_meta WHERE name = 'version'").pluck()
  for (const sql of MIGRATIONS.slice(version.get() ?? 0)) db.exec(sql)
  // A newer version only adds columns; its number is left alone.
  db.prepare(
    "INSERT INTO notified_meta VALUES ('version', ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
  ).run(MIGRATIONS.length)
}

function createStore(db: Database.Database): NotifiedStore {
  const put = db.prepare(
    'INSERT OR REPLACE INTO notified (key, state, at, title, shown_at, route, members, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const remove = db.prepare('DELETE FROM notified WHERE key = ?')
  const add = db.prepare('INSERT INTO notification_log (key, at, title, outcome, why) VALUES (?, ?, ?, ?, ?)')
  const trim = db.prepare(
    `DELETE FROM notification_log WHERE (why IS 'not_for_you') = @about AND id <= (
       SELECT id FROM notification_log WHERE (why IS 'not_for_you') = @about ORDER BY id DESC LIMIT 1 OFFSET @keep)`,
  )
  const keep = db.transaction<NotifiedStore['keep']>(({ changed = new Map(), forget = [], records = [] }) => {
    for (const key of forget) remove.run(key)
    for (const [key, { state, at, title, shownAt, route, members, why }] of changed) {
      const list = members === undefined ? null : JSON.stringify(members)
      put.run(key, state, at, title ?? null, shownAt ?? null, route ?? null, list, why ?? null)
    }
    for (const { key, at, title, outcome, why } of newest(records))
      add.run(key, at, title, outcome, why ?? null)
    if (records.length === 0) return
    trim.run({ about: 0, keep: KEEP_RECORDS })
    trim.run({ about: 1, keep: KEEP_NOT_FOR_YOU })
  })

  return {
    load: () => new Map(db.prepare('SELECT * FROM notified').all().flatMap(readRow)),
    keep: (what) => keep.immediate(what),
    log: () =>
      db
        .prepare<[], NotificationRecord & { why: string | null }>(
          'SELECT key, at, title, outcome, why FROM notification_log ORDER BY id DESC LIMIT 500',
        )
        .all()
        .map(({ why, ...record }) => ({ ...record, ...(why === null ? {} : { why }) })),
    startedAt(now) {
      db.prepare("INSERT OR IGNORE INTO notified_meta VALUES ('started_at', ?)").run(now)
      const kept = db.prepare<[], number>("SELECT value FROM notified_meta WHERE name = 'started_at'").pluck()
      return kept.get() ?? now
    },
    dispose: () => void db.close(),
  }
}

/** Of a flood only what the log keeps anyway, in its order. */
function newest(records: readonly NotificationRecord[]): readonly NotificationRecord[] {
  if (records.length <= KEEP_NOT_FOR_YOU) return records
  const isNotForYou = ({ why }: NotificationRecord) => why === 'not_for_you'
  const kept = new Set([
    ...records.filter(isNotForYou).slice(-KEEP_NOT_FOR_YOU),
    ...records.filter((record) => !isNotForYou(record)).slice(-KEEP_RECORDS),
  ])
  return records.filter((record) => kept.has(record))
}

function readRow(row: unknown): [string, Remembered][] {
  const parsed = rowSchema.safeParse(row)
  if (!parsed.success) return []
  const { key, state, at, title, shown_at: shownAt, route, members, why } = parsed.data
  return [
    [
      key,
      {
        state,
        at,
        title: title ?? undefined,
        shownAt: shownAt ?? undefined,
        route: route ?? undefined,
        members: members === null ? undefined : z.array(z.string()).catch([]).parse(parseJson(members)),
        why: why ?? undefined,
      },
    ],
  ]
}
