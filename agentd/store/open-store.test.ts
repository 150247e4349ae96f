import Database from 'better-sqlite3'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteEvent, sampleTask, sampleTicket, TASK_ID } from '../../tests/support/sample-facts.ts'
import { openSample, privateFacts, taskId } from '../../tests/support/sample-store.ts'
import { createTempDir, type TempDir } from '../../tests/support/temp.ts'
import { configure } from './open-database.ts'
import { createStore, openStore } from './open-store.ts'

let temp: TempDir
let dir: string
let file: string
beforeEach(async () => {
  temp = await createTempDir()
  dir = temp.path
  file = path.join(dir, 'agentd.db')
})
afterEach(() => temp.dispose())

const contents = () =>
  Object.fromEntries(
    fs
      .readdirSync(dir)
      // The index of the WAL is rebuilt by whoever looks; it holds no data.
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [name, fs.readFileSync(path.join(dir, name)).toString('base64')]),
  )

describe('opening', () => {
  it('creates a file, and files beside it, that only their owner may read', () => {
    const store = openSample(file)
    for (const name of fs.readdirSync(dir))
      expect(fs.statSync(path.join(dir, name)).mode & 0o777, name).toBe(0o600)
    expect(fs.readdirSync(dir)).toContain('agentd.db-wal')
    store.close()
  })

  it('takes away from others what an older file still allowed them', () => {
    fs.writeFileSync(file, '', { mode: 0o644 })
    openStore({ path: file }).close()
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  })

  it('keeps everything, the host id among it, over a restart', () => {
    const first = openSample(file)
    const hostId = first.meta.hostId()
    first.close()
    const second = openStore({ path: file })
    expect(second.meta.hostId()).toBe(hostId)
    expect(second.tasks.get(TASK_ID)).toEqual(sampleTask())
    expect(second.events.headSeq()).toBe(1)
    second.close()
  })

  it('is durable at each commit: WAL, synchronous FULL, foreign keys', () => {
    const db = new Database(file)
    configure(db)
    const pragma = (name: string) => db.pragma(name, { simple: true })
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1])
    db.close()
  })

  it('refuses a database from a newer version and leaves every byte of it alone', () => {
    openSample(file).close()
    const db = new Database(file)
    db.pragma('user_version = 99')
    db.close()
    const before = contents()
    expect(() => openStore({ path: file })).toThrow(
      expect.objectContaining({
        code: 'database_newer',
        hint: expect.stringContaining('Update') as string,
      }) as Error,
    )
    expect(contents()).toEqual(before)
  })

  it('sees a newer version that has only reached the write-ahead log', () => {
    openSample(file).close()
    const elsewhere = path.join(dir, 'live.db')
    fs.copyFileSync(file, elsewhere)
    const db = new Database(elsewhere)
    db.pragma('journal_mode = WAL')
    db.pragma('user_version = 99')
    // What a killed process leaves behind: the version is in the log and not yet in the file.
    fs.copyFileSync(elsewhere, file)
    fs.copyFileSync(`${elsewhere}-wal`, `${file}-wal`)
    db.close()
    const before = contents()
    expect(() => openStore({ path: file })).toThrow(
      expect.objectContaining({ code: 'database_newer' }) as Error,
    )
    expect(contents()).toEqual(before)
  })

  it.each([
    ['is not a database', () => Buffer.from('This is a letter, not a database. '.repeat(200))],
    ['is cut off', (whole: Buffer) => whole.subarray(0, 5_000)],
    [
      'was overwritten in part',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)]),
    ],
  ])('says so when the file %s, and keeps it', (_name, damage) => {
    openSample(file).close()
    const damaged = damage(fs.readFileSync(file))
    fs.writeFileSync(file, damaged)
    expect(() => openStore({ path: file })).toThrow(
      expect.objectContaining({ code: 'database_unusable' }) as Error,
    )
    expect(fs.readFileSync(file).equals(damaged)).toBe(true)
  })

  it('says so when the folder is missing', () => {
    expect(() => openStore({ path: path.join(dir, 'no', 'agentd.db') })).toThrow(
      expect.objectContaining({ code: 'database_unusable' }) as Error,
    )
  })
})

describe('a database that cannot be written', () => {
  it('is reported as locked while another program holds it, and works again afterwards', () => {
    const store = openSample(file, { busyTimeoutMs: 50 })
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    const write = () => store.transaction(() => store.events.append(TASK_ID, 2, noteEvent()))
    expect(write).toThrow(expect.objectContaining({ code: 'database_locked' }) as Error)
    expect(() => store.meta.set('a', 'b')).toThrow(
      expect.objectContaining({ code: 'database_locked' }) as Error,
    )
    other.exec('ROLLBACK')
    other.close()
    expect(write()?.seq).toBe(2)
    store.close()
  })

  it('is reported as full, loses nothing that was committed and goes on when there is room', () => {
    openSample(file).close()
    const db = new Database(file)
    configure(db)
    const store = createStore({ db, path: file })
    const append = () =>
      store.transaction(() => store.events.append(TASK_ID, 2, noteEvent('x'.repeat(50_000))))
    db.pragma(`max_page_count = ${(db.pragma('page_count', { simple: true }) as number) + 40}`)
    let committed = 1
    const fill = () => {
      for (let count = 0; count < 100; count++) committed = append()?.seq ?? committed
    }
    expect(fill).toThrow(expect.objectContaining({ code: 'disk_full' }) as Error)
    expect(committed).toBeGreaterThan(1)
    expect(store.events.headSeq()).toBe(committed)
    db.pragma('max_page_count = 1000000')
    expect(append()?.seq).toBe(committed + 1)
    store.close()
    const again = openStore({ path: file })
    expect(again.events.after(0, 1_000).map((event) => event.seq)).toEqual(
      Array.from({ length: committed + 1 }, (_, index) => index + 1),
    )
    again.close()
  })
})

describe('transactions', () => {
  it('undo everything on a throw, the given numbers included', () => {
    const store = openSample(file)
    const attempt = () =>
      store.transaction(() => {
        store.events.append(TASK_ID, 2, noteEvent())
        store.transaction(() => store.tasks.save(sampleTask({ title: 'changed' })))
        throw new Error('no')
      })
    expect(attempt).toThrow('no')
    expect(store.events.headSeq()).toBe(1)
    expect(store.tasks.get(TASK_ID)?.title).toBe('Add a greeting')
    expect(store.events.append(TASK_ID, 3, noteEvent())?.seq).toBe(2)
    store.close()
  })

  it('forget the number of a task whose insertion was undone', () => {
    const store = openStore({ path: file })
    const ids = [1, 2].map(taskId) as [string, string]
    const insert = (id: string) => {
      store.tasks.insert(sampleTask({ id }), privateFacts)
      store.events.append(id, 1, noteEvent())
    }
    const undone = () =>
      store.transaction(() => {
        insert(ids[0])
        throw new Error('no')
      })
    expect(undone).toThrow('no')
    store.transaction(() => insert(ids[1]))
    expect(() => store.events.append(ids[0], 1, noteEvent())).toThrow(/must be inserted before/)
    expect(store.events.after(0, 9).map((event) => event.taskId)).toEqual([ids[1]])
    store.close()
  })

  it('leave no row of a task behind that is not there', () => {
    const store = openStore({ path: file })
    const orphan = () => store.transaction(() => store.tickets.save(sampleTicket()))
    expect(orphan).toThrow(/FOREIGN KEY/)
    expect(store.tickets.open()).toEqual([])
    store.close()
  })
})
