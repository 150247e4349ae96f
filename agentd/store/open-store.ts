import type Database from 'better-sqlite3'
import fs from 'node:fs'
import { createAudit } from './audit.ts'
import { createCursors } from './cursors.ts'
import { withReadableErrors } from './database-errors.ts'
import { createDeliveries } from './deliveries.ts'
import { createEvents } from './events.ts'
import { createMeta } from './meta.ts'
import { openDatabase } from './open-database.ts'
import { createPrune } from './prune.ts'
import { createRequests } from './requests.ts'
import { createRules } from './rules.ts'
import type { Store } from './store.ts'
import { createTasks } from './tasks.ts'
import { createTickets } from './tickets.ts'
import { createTokens } from './tokens.ts'
import { createTransaction } from './transaction.ts'

/**
 * Opens (or creates, 0600) the database at `path`. Throws AppError: database_newer (the file is untouched),
 * database_locked, disk_full, database_unusable; so do later calls, except for the first.
 */
export function openStore({ path, busyTimeoutMs }: { path: string; busyTimeoutMs?: number }): Store {
  return createStore({
    db: openDatabase({ path, ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }) }),
    path,
  })
}

/** The store over a database that is open and up to date. */
export function createStore({ db, path }: { db: Database.Database; path: string }): Store {
  const readable = <T extends object>(calls: T): T => withReadableErrors(calls, path)
  const meta = createMeta(db)
  const events = createEvents({ db, meta })
  const { transaction } = readable({ transaction: createTransaction({ db, onRollback: events.forget }) })
  const prune = createPrune({ db, meta })
  return {
    path,
    transaction,
    meta: readable(meta),
    events: readable({ ...events.calls, prune: (policy) => transaction(() => prune(policy)) }),
    tasks: readable(createTasks(db)),
    tickets: readable(createTickets(db)),
    deliveries: readable(createDeliveries(db)),
    cursors: readable(createCursors(db)),
    requests: readable(createRequests(db)),
    tokens: readable(createTokens(db)),
    rules: readable(createRules(db)),
    audit: readable(createAudit(db)),
    sizeBytes: () => fileBytes(path) + fileBytes(`${path}-wal`),
    close: () => {
      db.close()
    },
  }
}

function fileBytes(path: string): number {
  return fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
