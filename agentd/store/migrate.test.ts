import Database from 'better-sqlite3'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sampleTask, TASK_ID } from '../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { migrate, migrations, SCHEMA_VERSION, versionOf } from './migrate.ts'
import { openStore } from './open-store.ts'

let file: string
beforeEach(async () => {
  file = path.join(await tempDirForTest(), 'agentd.db')
})

const schema = (db: Database.Database) =>
  db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all()

/** A database as the first version leaves it, with a row in every table that later steps touch. */
function versionOne(): void {
  const db = new Database(file)
  migrate(db, 1)
  expect(versionOf(db)).toBe(1)
  const task = JSON.stringify(sampleTask())
  db.prepare('INSERT INTO tasks (id, state, over, created_at, task) VALUES (?, ?, 0, 1000, ?)').run(
    TASK_ID,
    'pending',
    task,
  )
  const insertRequest = db.prepare("INSERT INTO requests VALUES ('c', ?, ?, '{}')")
  for (let at = 1; at <= 10; at++) insertRequest.run(`request-${at}`, at)
  db.prepare(
    `INSERT INTO deliveries (task_id, kind, payload, created_at, next_attempt_at)
     VALUES (?, 'prompt', '{"kind":"prompt","text":"go"}', 1, 1)`,
  ).run(TASK_ID)
  db.close()
}

describe('migrations', () => {
  it('are numbered from 1 without a gap', () => {
    expect(migrations.map((step) => step.version)).toEqual(migrations.map((_, index) => index + 1))
    expect(SCHEMA_VERSION).toBe(migrations.at(-1)?.version)
  })

  it('1 → 2: keeps every row and lets old ones go by index', () => {
    versionOne()
    const store = openStore({ path: file })
    expect(store.tasks.get(TASK_ID)).toEqual(sampleTask())
    expect(store.deliveries.pending(TASK_ID)).toMatchObject([{ payload: { kind: 'prompt', text: 'go' } }])
    store.requests.prune(6)
    expect([5, 6].map((at) => store.requests.get('c', `request-${at}`))).toEqual([undefined, '{}'])
    store.close()
    const db = new Database(file)
    expect(versionOf(db)).toBe(SCHEMA_VERSION)
    const plan = db.prepare('EXPLAIN QUERY PLAN SELECT rowid FROM requests WHERE at < 5').all()
    expect(plan).toMatchObject([{ detail: expect.stringContaining('requests_at') as string }])
    db.close()
  })

  it('lead to the same schema step by step and at once', () => {
    versionOne()
    openStore({ path: file }).close()
    const stepped = new Database(file)
    const fresh = new Database(':memory:')
    migrate(fresh)
    expect(schema(stepped)).toEqual(schema(fresh))
    stepped.close()
  })

  it('take a step wholly or not at all', () => {
    const db = new Database(file)
    migrate(db, 1)
    // Stands in the way of the second statement of step 2.
    db.exec('CREATE TABLE deliveries_task (x)')
    const before = schema(db)
    expect(() => migrate(db)).toThrow(/deliveries_task/)
    expect([versionOf(db), schema(db)]).toEqual([1, before])
    db.exec('DROP TABLE deliveries_task')
    migrate(db)
    expect(versionOf(db)).toBe(SCHEMA_VERSION)
    db.close()
  })
})
