import type Database from 'better-sqlite3'
import { AppError } from '../../shared/errors.ts'
import { initial } from './migrations/0001-initial.ts'
import { cleanUpIndexes } from './migrations/0002-clean-up-indexes.ts'

/** One step of the schema. Never edited after a release: a change is a new step. */
export interface Migration {
  /** The `user_version` of a database that has taken this step. */
  version: number
  name: string
  sql: string
}

/** Every step, oldest first, numbered from 1 without a gap. */
export const migrations: readonly Migration[] = [initial, cleanUpIndexes]

/** The version of a database that this program reads and writes. */
export const SCHEMA_VERSION = migrations.length

/** The version of the schema that a database has; 0 when it is new. */
export function versionOf(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Refuses a database that a newer program has written. */
export function refuseNewer(version: number, path: string): void {
  if (version <= SCHEMA_VERSION) return
  throw new AppError({
    code: 'database_newer',
    message: `The database ${path} was written by a newer version of Handoff; it was left untouched.`,
    hint: 'Update Handoff on this machine, or point it at another home folder.',
    details: { databaseVersion: version, knownVersion: SCHEMA_VERSION },
  })
}

/** Takes the steps that a database lacks, each in a transaction of its own. `upTo` is for tests of a single step. */
export function migrate(db: Database.Database, upTo: number = SCHEMA_VERSION): void {
  for (const { version, sql } of migrations) {
    if (version <= versionOf(db) || version > upTo) continue
    db.transaction(() => {
      // Another process may have taken the step while this one waited for the lock.
      if (versionOf(db) >= version) return
      db.exec(sql)
      db.pragma(`user_version = ${version}`)
    }).immediate()
  }
}
