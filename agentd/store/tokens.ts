import type Database from 'better-sqlite3'
import type { Store, StoredToken } from './store.ts'

type Row = Omit<StoredToken, 'lastUsedAt'> & { lastUsedAt: number | null }

const columns = 'id, name, role, hash, created_at AS createdAt, last_used_at AS lastUsedAt'

/** Tokens, of which only the sha256 is kept. */
export function createTokens(db: Database.Database): Store['tokens'] {
  const insert = db.prepare(
    'INSERT INTO tokens (id, name, role, hash, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const selectByHash = db.prepare<[Buffer], Row>(`SELECT ${columns} FROM tokens WHERE hash = ?`)
  const selectAll = db.prepare<[], Row>(`SELECT ${columns} FROM tokens ORDER BY created_at, id`)
  const remove = db.prepare('DELETE FROM tokens WHERE id = ?')
  const used = db.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?')
  const tokenOf = (row: Row): StoredToken => ({ ...row, lastUsedAt: row.lastUsedAt ?? undefined })

  return {
    add({ id, name, role, hash, createdAt, lastUsedAt }) {
      insert.run(id, name, role, hash, createdAt, lastUsedAt ?? null)
    },
    byHash(hash) {
      const row = selectByHash.get(hash)
      return row ? tokenOf(row) : undefined
    },
    list: () => selectAll.all().map(tokenOf),
    remove(id) {
      remove.run(id)
    },
    used(id, at) {
      used.run(at, id)
    },
  }
}
