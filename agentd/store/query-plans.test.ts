import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { createStore } from './open-store.ts'

// Small by nature: a person makes these one by one.
const SMALL_TABLES = ['tokens', 'rules']
// Indexes that hold only what is open, undelivered or not yet cleaned up.
const WORKING_SETS = ['tasks_open', 'tickets_open', 'deliveries_pending', 'task_private_uncleaned']

/** Every statement the store prepares, found by looking over its shoulder. */
function statements(): { db: Database.Database; sqls: string[] } {
  const db = new Database(':memory:')
  migrate(db)
  const sqls: string[] = []
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    sqls.push(sql)
    return prepare(sql)
  }) as typeof db.prepare
  createStore({ db, path: ':memory:' })
  return { db, sqls: sqls.filter((sql) => /^\s*(SELECT|UPDATE|DELETE|INSERT)/.test(sql)) }
}

function planOf(db: Database.Database, sql: string): string[] {
  const nulls = Array.from({ length: (sql.match(/\?/g) ?? []).length }, () => null)
  const names = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map((match) => [match[1], null]))
  const explain = db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
  const rows = (Object.keys(names).length > 0 ? explain.all(names) : explain.all(...nulls)) as {
    detail: string
  }[]
  return rows.map((row) => row.detail)
}

function isSlow(sql: string, step: string): boolean {
  if (/TEMP B-TREE/.test(step)) return !SMALL_TABLES.some((table) => sql.includes(`FROM ${table}`))
  const [, table, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? []
  if (table === undefined || SMALL_TABLES.includes(table)) return false
  if (index !== undefined && WORKING_SETS.includes(index)) return false
  // Walking along an index and stopping after a page is no scan of the table.
  return index === undefined || !/LIMIT \?|LIMIT 1\b/.test(sql)
}

describe('the statements of the store', () => {
  const { db, sqls } = statements()

  it('are all looked at', () => {
    expect(sqls.length).toBeGreaterThan(60)
  })

  it.each(sqls.map((sql) => [sql.replace(/\s+/g, ' ').trim(), sql]))(
    'need no scan and no sort: %s',
    (_name, sql) => {
      expect(planOf(db, sql).filter((step) => isSlow(sql, step))).toEqual([])
    },
  )

  it('would be found out', () => {
    const slow = 'SELECT json FROM events WHERE type = ? ORDER BY json'
    expect(planOf(db, slow).filter((step) => isSlow(slow, step))).toHaveLength(2)
  })
})
