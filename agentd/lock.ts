import Database from 'better-sqlite3'
import { chmodSync } from 'node:fs'
import { AppError } from '../shared/errors.ts'

/**
 * Makes this process the only agentd of a home until it ends, however it ends: the lock is SQLite's own file lock, which
 * the operating system lets go with the process. Throws `agentd_running` when another one has it.
 */
export function lockHome(lockPath: string): { release(): void } {
  const db = new Database(lockPath, { timeout: 0 })
  try {
    chmodSync(lockPath, 0o600)
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'SQLITE_BUSY') throw cause
    throw new AppError(
      {
        code: 'agentd_running',
        message: 'Another agentd is already running for this home folder.',
        hint: 'Use it, or end it first with "handoff agentd stop".',
      },
      { cause },
    )
  }
  return {
    release() {
      db.exec('ROLLBACK')
      db.close()
    },
  }
}
