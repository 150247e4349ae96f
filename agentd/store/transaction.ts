import type Database from 'better-sqlite3'

/** Runs work in one IMMEDIATE transaction; nested calls join the outer one. `onRollback` runs after a rollback. */
export function createTransaction({ db, onRollback }: { db: Database.Database; onRollback: () => void }) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  return function transaction<T>(work: () => T): T {
    if (db.inTransaction) return work()
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (db.inTransaction) rollback.run()
      onRollback()
      throw error
    }
  }
}
