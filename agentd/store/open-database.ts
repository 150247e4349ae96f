import Database from 'better-sqlite3'
import fs from 'node:fs'
import { readableError } from './database-errors.ts'
import { migrate, refuseNewer, versionOf } from './migrate.ts'

const USER_VERSION_OFFSET = 60

/** How long a call waits for another program's lock before it fails, in ms. */
export const BUSY_TIMEOUT_MS = 2_000

/**
 * Opens (or creates, 0600) the database and brings it up to date. A database of a newer version is refused before
 * anything is written to it. Throws AppError: database_newer, database_locked, disk_full, database_unusable.
 */
export function openDatabase({
  path,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
}: {
  path: string
  busyTimeoutMs?: number
}): Database.Database {
  let db: Database.Database | undefined
  try {
    look(path, busyTimeoutMs)
    createPrivately(path)
    db = new Database(path, { timeout: busyTimeoutMs })
    configure(db)
    migrate(db)
    return db
  } catch (error) {
    db?.close()
    throw readableError(error, path)
  }
}

/** Settings of every connection that writes: durable at each commit, small in memory. */
export function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  // 8 MB of pages; mmap would count against the same resident memory.
  db.pragma('cache_size = -8192')
  db.pragma('journal_size_limit = 16777216')
}

/** Reads the version without writing: first from the file's header, then through SQLite, which sees the WAL too. */
function look(path: string, busyTimeoutMs: number): void {
  if (!fs.existsSync(path) || fs.statSync(path).size === 0) return
  refuseNewer(versionInHeader(path), path)
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs })
  try {
    refuseNewer(versionOf(db), path)
  } finally {
    db.close()
  }
}

/** Source: the SQLite file format, a 100-byte header with `user_version` as a big-endian integer at byte 60. */
function versionInHeader(path: string): number {
  const header = Buffer.alloc(100)
  const file = fs.openSync(path, 'r')
  try {
    const read = fs.readSync(file, header, 0, header.length, 0)
    const isSqlite = read === header.length && header.toString('latin1', 0, 15) === 'SQLite format 3'
    return isSqlite ? header.readUInt32BE(USER_VERSION_OFFSET) : 0
  } finally {
    fs.closeSync(file)
  }
}

function createPrivately(path: string): void {
  fs.closeSync(fs.openSync(path, 'a', 0o600))
  // SQLite gives the files beside it (-wal, -shm) the same mode.
  fs.chmodSync(path, 0o600)
}
