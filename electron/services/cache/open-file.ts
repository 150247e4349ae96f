import Database from 'better-sqlite3'
import fs from 'node:fs'
import path from 'node:path'
import { systemCodeOf } from '../../../shared/node/system-code.ts'
import { CACHE_VERSION, createSchema } from './schema.ts'

/** Why a cache began empty although there was a file, or why it is not in a file. */
export type RebuildReason = 'damaged' | 'other_version' | 'locked' | 'unwritable'

/** An open cache. `reason` is there when something was wrong with the file; `isInMemory` when there was no other way. */
export interface OpenedFile {
  db: Database.Database
  reason: RebuildReason | undefined
  isInMemory: boolean
}

/**
 * Opens the cache at `path` (made, 0600, when missing). Never throws: a file that is damaged or of another version is
 * removed and begun anew; one that another desk holds is left alone; the last resort is a cache in memory.
 */
export function openFile(file: string): OpenedFile {
  const first = tryOpen(file)
  if (typeof first !== 'string') return { db: first, reason: undefined, isInMemory: false }
  // Another program works with it: what lies there is good, but not for us.
  if (first === 'locked') return { db: openInMemory(), reason: first, isInMemory: true }
  return openAnew(file, first)
}

/** Removes what lies at `path` and begins an empty cache there, or in memory where that cannot be done. */
export function openAnew(file: string, reason: RebuildReason): OpenedFile {
  const second = removeFile(file) ? tryOpen(file) : 'unwritable'
  if (typeof second !== 'string') return { db: second, reason, isInMemory: false }
  return { db: openInMemory(), reason: second === 'locked' ? second : reason, isInMemory: true }
}

/** An empty cache that is gone when the program ends. */
export function openInMemory(): Database.Database {
  const db = new Database(':memory:')
  createSchema(db)
  return db
}

/** What a failed read or write says of the file; undefined when it is not about the file. */
export function reasonOf(error: unknown): RebuildReason | undefined {
  // What is kept as JSON was written by this program: when it cannot be read, the file is damaged.
  if (error instanceof SyntaxError) return 'damaged'
  const code = systemCodeOf(error)
  if (code === undefined) return undefined
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED') return 'locked'
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH|FULL|IOERR)|E[A-Z]+$)/.test(code)) return 'unwritable'
  return 'damaged'
}

function tryOpen(file: string): Database.Database | RebuildReason {
  let db: Database.Database | undefined
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.closeSync(fs.openSync(file, 'a', 0o600))
    db = new Database(file, { timeout: 200 })
    // One desk works with the file; a second one gets SQLITE_BUSY and does without it.
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    // The newest commits may be lost with the power: the hosts send them again.
    db.pragma('synchronous = NORMAL')
    db.pragma('cache_size = -65536')
    // Writing back more at once holds up everything else for longer than a tenth of a second.
    db.pragma('wal_autocheckpoint = 1000')
    db.pragma('journal_size_limit = 33554432')
    db.pragma('temp_store = MEMORY')
    if (prepare(db)) return db
    db.close()
    return 'other_version'
  } catch (error) {
    db?.close()
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    return reason
  }
}

/** Makes the tables of a new file and looks at those of an old one; false when it is of another version. */
function prepare(db: Database.Database): boolean {
  const version = db.pragma('user_version', { simple: true })
  if (version === CACHE_VERSION) {
    // Takes the lock for good, and meets damage in the pages that every start needs.
    db.exec('BEGIN IMMEDIATE; COMMIT')
    db.prepare('SELECT host, head_seq FROM hosts').all()
    db.prepare('SELECT host, what, n FROM counts').all()
    return true
  }
  if (version !== 0 || db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined) return false
  createSchema(db)
  return true
}

function removeFile(file: string): boolean {
  try {
    for (const name of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
      fs.rmSync(name, { force: true })
    return true
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    return false
  }
}
