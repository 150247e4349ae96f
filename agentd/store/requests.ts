import type Database from 'better-sqlite3'
import type { Store } from './store.ts'

/** Answers to calls that were carried out, so that the same call sent again changes nothing. The first answer stays. */
export function createRequests(db: Database.Database): Store['requests'] {
  const select = db
    .prepare<[string, string], string>('SELECT result FROM requests WHERE client_id = ? AND request_id = ?')
    .pluck()
  const insert = db.prepare(
    `INSERT INTO requests (client_id, request_id, at, result) VALUES (?, ?, ?, ?)
     ON CONFLICT (client_id, request_id) DO NOTHING`,
  )
  const removeSome = db.prepare(
    'DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE at < ? ORDER BY at LIMIT 1000)',
  )

  return {
    get: (clientId, requestId) => select.get(clientId, requestId),
    put(clientId, requestId, at, resultJson) {
      insert.run(clientId, requestId, at, resultJson)
    },
    prune(olderThan) {
      while (removeSome.run(olderThan).changes > 0);
    },
  }
}
