import Database from 'better-sqlite3'
import fs from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import type { AppError } from '../../../shared/errors.ts'
import { openDeskDatabase } from './desk-database.ts'
import { createEntries, type Entry } from './entries.ts'

const entryNo = (n: number, more: Partial<Entry> = {}): Omit<Entry, 'seq'> => ({
  id: `id-${n}`,
  host: 'box',
  hostId: undefined,
  taskId: 'task',
  ticketId: `task:${n}`,
  kind: 'answer',
  requestId: `request-${n}`,
  answer: { kind: 'text', text: `answer ${n} ${'x'.repeat(2_000)}` },
  createdAt: n,
  state: 'queued',
  attempts: 0,
  error: undefined,
  ...more,
})

function open(path: string) {
  const problems: AppError[] = []
  const { db, isKept } = openDeskDatabase({ path, now: () => 1_234, onProblem: (one) => problems.push(one) })
  onTestFinished(() => void db.close())
  return {
    db,
    isKept,
    problems,
    entries: createEntries(db, { owner: '1-test', isAlive: () => false, uptimeMs: () => 1 }),
  }
}

async function filled(count: number): Promise<string> {
  const path = `${await tempDirForTest()}/desk/desk.db`
  const { db, entries } = open(path)
  for (let n = 1; n <= count; n += 1) entries.add(entryNo(n))
  db.close()
  return path
}

const idsOf = ({ entries }: ReturnType<typeof open>) => entries.pending().entries.map(({ id }) => id)

describe('desk.db', () => {
  it('keeps entries in order, with every change, for its owner only', async () => {
    const path = await filled(3)
    const { db, entries } = open(path)
    const [first, second] = entries.pending().entries
    if (!first || !second) throw new Error('they are gone')
    entries.save({ ...first, state: 'failed', attempts: 4, error: { code: 'forbidden', message: 'no' } })
    entries.finish(second.id, { as: 'applied', at: 9 })
    db.close()
    expect(open(path).entries.pending().entries).toMatchObject([
      { id: 'id-1', state: 'failed', attempts: 4, error: { code: 'forbidden' } },
      { id: 'id-3', state: 'queued', answer: entryNo(3).answer },
    ])
    expect(fs.statSync(path).mode & 0o777).toBe(0o600)
    expect(open(path).db.pragma('synchronous', { simple: true })).toBe(2)
  })

  it('keeps the last 200 that are finished', async () => {
    const { db, entries } = open(await filled(0))
    for (let n = 1; n <= 230; n += 1) {
      entries.add(entryNo(n))
      if (n > 5) entries.finish(`id-${n}`, { as: 'applied', at: n })
    }
    const finished = db
      .prepare('SELECT id FROM outbox WHERE finished_at IS NOT NULL ORDER BY seq')
      .pluck()
      .all()
    expect([finished.length, finished[0], finished.at(-1)]).toEqual([200, 'id-31', 'id-230'])
    expect(idsOf({ entries } as ReturnType<typeof open>)).toHaveLength(5)
  })

  it('leaves a file of a newer version as it is and goes on without it', async () => {
    const path = await filled(2)
    const newer = new Database(path)
    newer.pragma('user_version = 99')
    newer.close()
    const before = fs.readFileSync(path)
    const opened = open(path)
    expect([opened.isKept, opened.problems.map(({ code }) => code)]).toEqual([false, ['database_newer']])
    opened.entries.add(entryNo(7))
    expect(idsOf(opened)).toEqual(['id-7'])
    expect(fs.readFileSync(path).equals(before)).toBe(true)
  })

  it('sets a damaged file aside and carries over what can be read', async () => {
    const path = await filled(200)
    const size = fs.statSync(path).size
    const file = fs.openSync(path, 'r+')
    fs.writeSync(file, Buffer.alloc(40_000, 0xa5), 0, 40_000, Math.floor(size / 2 / 4_096) * 4_096)
    fs.closeSync(file)
    const harmed = fs.readFileSync(path)
    const opened = open(path)
    expect(opened.isKept).toBe(true)
    expect(opened.problems).toMatchObject([
      { code: 'database_unusable', details: { setAside: `${path}.damaged-1234` } },
    ])
    expect(fs.readFileSync(`${path}.damaged-1234`).equals(harmed)).toBe(true)
    const ids = idsOf(opened)
    expect(ids.length).toBeGreaterThan(100)
    expect([ids[0], ids.at(-1)]).toEqual(['id-1', 'id-200'])
    expect(opened.problems[0]?.details?.['carriedOver']).toBe(ids.length)
  })

  it('carries over what a damaged file of the first version has', async () => {
    const path = await filled(200)
    const older = new Database(path)
    older.exec(`ALTER TABLE outbox DROP COLUMN seen; ALTER TABLE outbox DROP COLUMN tried_at;
       ALTER TABLE outbox DROP COLUMN claimed_by; ALTER TABLE outbox DROP COLUMN claimed_at; VACUUM`)
    older.pragma('user_version = 1')
    older.pragma('wal_checkpoint(TRUNCATE)')
    older.close()
    const size = fs.statSync(path).size
    const file = fs.openSync(path, 'r+')
    fs.writeSync(file, Buffer.alloc(40_000, 0xa5), 0, 40_000, Math.floor(size / 2 / 4_096) * 4_096)
    fs.closeSync(file)
    const opened = open(path)
    expect(opened.problems.map(({ code }) => code)).toEqual(['database_unusable'])
    expect(idsOf(opened).length).toBeGreaterThan(100)
  })

  it('sets aside what is no database at all', async () => {
    const path = await filled(1)
    fs.writeFileSync(path, 'not a database, but long enough to be looked at'.repeat(20))
    const opened = open(path)
    expect([opened.isKept, idsOf(opened)]).toEqual([true, []])
    expect(fs.readFileSync(`${path}.damaged-1234`, 'utf8')).toMatch(/^not a database/)
  })

  it('goes on in memory where there can be no file', async () => {
    const folder = await tempDirForTest()
    fs.mkdirSync(`${folder}/desk.db`)
    const opened = open(`${folder}/desk.db`)
    expect([opened.isKept, opened.problems.map(({ code }) => code)]).toEqual([false, ['database_unusable']])
    opened.entries.add(entryNo(1))
    expect(idsOf(opened)).toEqual(['id-1'])
  })

  it('leaves an entry alone that it cannot read', async () => {
    const path = await filled(2)
    const { db, entries } = open(path)
    db.prepare('UPDATE outbox SET answer = ? WHERE id = ?').run('{"kind":"shrug"}', 'id-1')
    expect(entries.pending()).toMatchObject({ unreadable: 1, entries: [{ id: 'id-2' }] })
    expect(db.prepare('SELECT count(*) FROM outbox').pluck().get()).toBe(2)
  })
})
