import Database from 'better-sqlite3'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { systemCodeOf } from '../../../shared/node/system-code.ts'
import { deskMigrations } from './desk-migrations.ts'

/** A second desk of the same home writes for milliseconds; the window stands still for as long as this one waits. */
const BUSY_TIMEOUT_MS = 500

/** An open desk.db. `isKept` is false when there is only memory: what is written is gone when the program ends. */
export interface DeskDatabase {
  db: Database.Database
  isKept: boolean
}

/** What opening needs. `onProblem` is told what a person should know; opening itself does not fail. */
export interface DeskDatabaseOptions {
  path: string
  now: () => number
  onProblem: (problem: AppError) => void
  /** SQLite has said that it is damaged: it is set aside even if a look at it finds nothing. */
  isKnownDamaged?: boolean | undefined
}

/**
 * Opens (or creates, 0600) what the desk must not lose. A damaged file is set aside beside the new one, and what can still be read is carried
 * over; a file of a newer version, or one that cannot be used, is left as it is and memory is used instead.
 */
export function openDeskDatabase(options: DeskDatabaseOptions): DeskDatabase {
  const { path: file, onProblem, isKnownDamaged = false } = options
  try {
    const opened = isKnownDamaged ? 'damaged' : tryOpen(file)
    if (opened !== 'damaged' && opened !== 'newer') return { db: opened, isKept: true }
    if (opened === 'damaged') return { db: replaceDamaged(options), isKept: true }
    onProblem(newer(file))
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    onProblem(deskDatabaseError(error, file))
  }
  return { db: openInMemory(), isKept: false }
}

/** What a failed read or write of desk.db means to a person. Throws what is not about the file: that is a bug. */
export function deskDatabaseError(error: unknown, file: string): AppError {
  const code = systemCodeOf(error)
  if (code === undefined || error instanceof AppError) throw error
  const details = { sqlite: code }
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED')
    return new AppError(
      {
        code: 'database_locked',
        message: `Another program holds ${file}.`,
        hint: 'Close the program that has it open (a database browser, a backup) and try again.',
        details,
      },
      { cause: error },
    )
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError(
      {
        code: 'disk_full',
        message: `There is no room left on the disk for ${file}; nothing that was kept before is lost.`,
        hint: 'Free some space and try again.',
        details,
      },
      { cause: error },
    )
  return new AppError(
    {
      code: 'database_unusable',
      message: `${file} cannot be read and written (${code}).`,
      hint: isDamage(error)
        ? 'Give the answer again: the damaged file is set aside and a new one is begun.'
        : 'Check that the folder exists, belongs to you, and is on a working disk; until then answers are not kept over a restart.',
      details,
    },
    { cause: error },
  )
}

/** Takes the steps that a database lacks, each in a transaction of its own. */
function migrateDesk(db: Database.Database): void {
  for (const { version, sql } of deskMigrations)
    db.transaction(() => {
      // Another desk may have taken the step while this one waited for the lock.
      if (versionOf(db) >= version) return
      db.exec(sql)
      db.pragma(`user_version = ${version}`)
    }).immediate()
}

function tryOpen(file: string): Database.Database | 'damaged' | 'newer' {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  let db: Database.Database | undefined
  try {
    db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
    if (versionOf(db) > deskMigrations.length) {
      db.close()
      return 'newer'
    }
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') {
      db.close()
      return 'damaged'
    }
    migrateDesk(db)
    return db
  } catch (error) {
    db?.close()
    if (!isDamage(error)) throw error
    return 'damaged'
  }
}

function replaceDamaged({ path: file, now, onProblem }: DeskDatabaseOptions): Database.Database {
  const aside = freeName(`${file}.damaged-${now()}`)
  for (const end of ['', '-wal', '-shm'])
    if (fs.existsSync(`${file}${end}`)) fs.renameSync(`${file}${end}`, `${aside}${end}`)
  const db = tryOpen(file)
  if (typeof db === 'string') throw new Error(`a new database is ${db}`)
  const carried = carryOver(aside, db)
  onProblem(
    new AppError({
      code: 'database_unusable',
      message: `${file} was damaged. It was set aside as ${aside}; ${carried} entries could be read from it.`,
      hint: 'Look whether answers that you gave lately have arrived, and give them again where they have not.',
      details: { setAside: aside, carriedOver: carried },
    }),
  )
  return db
}

/** What was set aside before is never written over. */
function freeName(wanted: string): string {
  let name = wanted
  for (let more = 2; fs.existsSync(name); more += 1) name = `${wanted}-${more}`
  return name
}

/** Copies what SQLite can still read, from both ends up to the damage. */
function carryOver(from: string, to: Database.Database): number {
  const seen = new Set<unknown>()
  let source: Database.Database | undefined
  for (const order of ['ASC', 'DESC'])
    try {
      source ??= new Database(from, { readonly: true })
      // An older file lacks the newest columns.
      const older = columnsOf(source)
      const names = columnsOf(to).filter((name) => older.includes(name))
      const insert = to.prepare(
        `INSERT OR IGNORE INTO outbox (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      )
      const rows = source.prepare<[], Record<string, unknown>>(
        `SELECT ${names.join(', ')} FROM outbox ORDER BY seq ${order}`,
      )
      for (const row of rows.iterate()) if (insert.run(row).changes > 0) seen.add(row['seq'])
    } catch (error) {
      // Here the damage begins; what lies beyond it may be reached from the other end.
      if (systemCodeOf(error) === undefined) throw error
    }
  source?.close()
  return seen.size
}

function columnsOf(db: Database.Database): string[] {
  return (db.pragma('table_info(outbox)') as { name: string }[]).map(({ name }) => name)
}

function openInMemory(): Database.Database {
  const db = new Database(':memory:')
  migrateDesk(db)
  return db
}

function newer(file: string): AppError {
  return new AppError({
    code: 'database_newer',
    message: `${file} was written by a newer version of Handoff; it was left untouched.`,
    hint: 'Update Handoff on this machine. Until then answers are sent, but not kept over a restart.',
  })
}

const versionOf = (db: Database.Database): number => db.pragma('user_version', { simple: true }) as number

/** Whether SQLite says that the file itself is damaged. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(systemCodeOf(error) ?? '')
