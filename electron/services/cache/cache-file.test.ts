import Database from 'better-sqlite3'
import fs from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sampleTask, sampleTicket, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { openCache, type Rebuilt } from './open-cache.ts'

const snapshot = {
  headSeq: 7,
  tasks: [sampleTask({ lastSeq: 7, state: 'running' })],
  tickets: [sampleTicket()],
}
const all = { offset: 0, limit: 10 }

function open(path: string) {
  const told: Rebuilt[] = []
  const cache = openCache({ path, onRebuilt: (rebuilt) => told.push(rebuilt) })
  onTestFinished(cache.dispose)
  return { cache, told }
}

/** A file with something in it, closed. */
async function filled(): Promise<string> {
  const path = `${await tempDirForTest()}/cache.db`
  const { cache } = open(path)
  cache.onSnapshot('local', snapshot)
  cache.dispose()
  return path
}

/** Works as a cache does, and is on disk for the next one. */
function expectUsable(path: string, cache: ReturnType<typeof open>['cache']): void {
  expect(cache.resumePoint('local')).toBeUndefined()
  expect(cache.inbox(all)).toEqual({ total: 0, sections: [], rows: [] })
  cache.onSnapshot('local', snapshot)
  expect(cache.inbox(all).total).toBe(1)
  cache.dispose()
  const next = open(path)
  expect(next.told).toEqual([])
  expect(next.cache.resumePoint('local')).toBe(7)
}

describe('the file of the cache', () => {
  it.each([
    ['is no database', (path: string) => fs.writeFileSync(path, 'x'.repeat(20_000)), 'damaged'],
    ['is cut off', (path: string) => fs.truncateSync(path, 5_000), 'damaged'],
    ['has a header and noise', (path: string) => overwrite(path, 100, 60_000), 'damaged'],
    ['is of a newer version', (path: string) => setVersion(path, 99), 'other_version'],
    ['is of another program', (path: string) => replaceByOther(path), 'other_version'],
  ])('that %s is begun anew', async (_, harm, reason) => {
    const path = await filled()
    harm(path)
    const { cache, told } = open(path)
    expect(told).toEqual([{ reason, isInMemory: false }])
    expectUsable(path, cache)
  })

  it('that is damaged where the start does not look is begun anew when it is met', async () => {
    const path = await filled()
    const db = new Database(path)
    db.prepare('UPDATE tasks SET task = ?').run('{"id": "')
    db.close()
    const { cache, told } = open(path)
    const heard: unknown[] = []
    cache.onChange(({ host, tasks }) => heard.push([host, tasks]))
    expect(cache.task('local', TASK_ID)).toBeUndefined()
    expect(told).toEqual([{ reason: 'damaged', isInMemory: false }])
    expect(heard).toEqual([['local', 'all']])
    // Events that were on their way have nothing to be added to.
    const note = { seq: 8, taskId: TASK_ID, at: 1, type: 'note', body: {} }
    expect(() => cache.onEvents('local', [note])).toThrow(/gap/)
    expectUsable(path, cache)
  })

  it('that another desk holds is left to it', async () => {
    const path = await filled()
    const first = open(path)
    const second = open(path)
    expect(second.told).toEqual([{ reason: 'locked', isInMemory: true }])
    second.cache.onSnapshot('local', { ...snapshot, headSeq: 9 })
    expect(second.cache.inbox(all).total).toBe(1)
    expect(first.cache.resumePoint('local')).toBe(7)
    expect(first.told).toEqual([])
  })

  it('that cannot be made is done without', async () => {
    const folder = await tempDirForTest()
    fs.mkdirSync(`${folder}/cache.db`)
    fs.writeFileSync(`${folder}/file`, '')
    for (const path of [`${folder}/cache.db`, `${folder}/file/cache.db`]) {
      const { cache, told } = open(path)
      expect(told).toEqual([{ reason: 'unwritable', isInMemory: true }])
      cache.onSnapshot('local', snapshot)
      expect(cache.inbox(all).total).toBe(1)
    }
  })

  it('is whole at every moment at which the program may be killed', async () => {
    const path = `${await tempDirForTest()}/cache.db`
    const { cache } = open(path)
    const copies = await tempDirForTest()
    cache.onSnapshot('local', snapshot)
    for (let seq = 8; seq < 30; seq += 1) {
      cache.onEvents('local', [
        { seq, taskId: TASK_ID, at: seq, type: 'progress', body: { kind: 'text', text: 'x' } },
      ])
      const copy = `${copies}/${seq}.db`
      for (const end of ['', '-wal']) fs.copyFileSync(`${path}${end}`, `${copy}${end}`)
      const { cache: after, told } = open(copy)
      expect(told).toEqual([])
      expect([after.resumePoint('local'), after.task('local', TASK_ID)?.lastSeq]).toEqual([seq, seq])
    }
  })

  it('can be read by its owner only', async () => {
    const path = await filled()
    expect(fs.statSync(path).mode & 0o777).toBe(0o600)
  })
})

function overwrite(path: string, from: number, bytes: number): void {
  const file = fs.openSync(path, 'r+')
  fs.writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, from)
  fs.closeSync(file)
}

function setVersion(path: string, version: number): void {
  const db = new Database(path)
  db.pragma(`user_version = ${version}`)
  db.close()
}

function replaceByOther(path: string): void {
  fs.rmSync(path)
  const db = new Database(path)
  db.exec('CREATE TABLE recipes (name TEXT)')
  db.close()
}
