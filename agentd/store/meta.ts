import type Database from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import type { Store } from './store.ts'

/** Single values about the host, and its id, which is made once and never changes. */
export function createMeta(db: Database.Database): Store['meta'] {
  const select = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck()
  const upsert = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  db.prepare("INSERT INTO meta (key, value) VALUES ('hostId', ?) ON CONFLICT (key) DO NOTHING").run(
    randomUUID(),
  )
  const hostId = select.get('hostId')
  if (hostId === undefined) throw new Error('The host id could not be stored.')
  return {
    hostId: () => hostId,
    get: (key) => select.get(key),
    set(key, value) {
      upsert.run(key, value)
    },
  }
}
