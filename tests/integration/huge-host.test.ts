import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCache } from '../../electron/services/cache/open-cache.ts'
import { createOutbox } from '../../electron/services/outbox/outbox.ts'
import type { HostState } from '../../shared/ipc/views.ts'
import { startKeeping, type KeepingSaid } from '../support/keeping-process.ts'
import { taskId } from '../support/sample-store.ts'
import { scriptedTask, startScriptedHost } from '../support/scripted-host.ts'
import { tempDirForTest } from '../support/temp.ts'
import { until } from '../support/until.ts'

const PATIENCE = { timeoutMs: 120_000 }
const approve = { kind: 'approve' } as const
const TICKET = `${taskId(1)}:ask-1`

async function hostForTest(contents: Parameters<typeof startScriptedHost>[0]) {
  const host = await startScriptedHost(contents)
  onTestFinished(host.stop)
  return host
}

/** Keeps the host's snapshot until `isEnough`, then ends the process as a crash does; answers what it said last. */
async function keepUntil(folder: string, address: string, isEnough: (state: HostState) => boolean) {
  const said: KeepingSaid[] = []
  let enough: () => void = () => undefined
  const reached = new Promise<void>((resolve) => (enough = resolve))
  const keeping = startKeeping(folder, address, (one) => {
    said.push(one)
    if (isEnough(one.state)) enough()
  })
  onTestFinished(keeping.kill)
  await Promise.race([
    reached,
    until('the host to have told enough', () => said.some(({ state }) => isEnough(state)), PATIENCE),
  ])
  await keeping.kill()
  return said
}

const isLive = ({ kind }: HostState) => kind === 'live'
const hasCome = (rows: number) => (state: HostState) =>
  state.kind === 'catching_up' && state.received !== undefined && state.received >= rows

/** What lies on the disk, and that its parts agree. */
function readCache(folder: string) {
  const told: unknown[] = []
  const cache = openCache({ path: `${folder}/cache.db`, onRebuilt: (rebuilt) => told.push(rebuilt) })
  const place = cache.resumePoint('box')
  const { open, needsYou } = cache.counts('box')
  cache.dispose()
  const db = new Database(`${folder}/cache.db`, { readonly: true })
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? -1
  const titles = db
    .prepare<[], string>(`SELECT DISTINCT substr(task ->> 'title', -4) FROM tasks ORDER BY 1`)
    .pluck()
    .all()
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(count('SELECT count(*) FROM tasks')).toBe(open)
  expect(count('SELECT count(*) FROM inbox')).toBe(needsYou)
  expect(count('SELECT count(*) FROM tickets WHERE is_open = 1')).toBe(needsYou)
  const orphans = `SELECT count(*) FROM tickets WHERE NOT EXISTS
    (SELECT 1 FROM tasks WHERE tasks.host = tickets.host AND task_id = substr(ticket_id, 1, 36))`
  expect(count(orphans)).toBe(0)
  db.close()
  return { told, place, titles, open, needsYou }
}

/** An answer that waits for the host. */
async function answerOffline(folder: string): Promise<void> {
  const cache = openCache({ path: `${folder}/cache.db` })
  const hosts = {
    get: () => undefined,
    call: () => {
      throw new Error('the host is away')
    },
  }
  const outbox = createOutbox({ path: `${folder}/desk.db`, hosts, cache })
  const { kind } = await outbox.answer({ host: 'box', ticketId: TICKET, answer: approve })
  expect(kind).toBe('queued')
  await outbox.dispose()
  cache.dispose()
}

function waitingAnswers(folder: string): unknown[] {
  const db = new Database(`${folder}/desk.db`, { readonly: true })
  try {
    return db.prepare('SELECT * FROM outbox').all()
  } finally {
    db.close()
  }
}

describe('a host with very much to tell', () => {
  it('is kept a little at a time, says how far it is, and nothing else waits long meanwhile', async () => {
    const folder = await tempDirForTest()
    const host = await hostForTest({ tasks: 8_000, tickets: 8_000 })
    const said = await keepUntil(folder, host.address, isLive)
    const received = said.flatMap(({ state }) => (state.kind === 'catching_up' ? [state.received ?? 0] : []))
    expect(received.length).toBeGreaterThan(20)
    expect(received).toEqual(received.toSorted((a, b) => a - b))
    expect(readCache(folder)).toMatchObject({ told: [], place: 16_000, open: 8_000, needsYou: 8_000 })
    // At once it takes seconds; a turn takes some ten milliseconds where the machine is not busy.
    expect(said.at(-1)?.longestTurnMs).toBeLessThan(300)
  }, 180_000)

  it('leaves what was there and what has come, and the answers of the person, when the desk is killed in the middle', async () => {
    const folder = await tempDirForTest()
    const host = await hostForTest({ tasks: 3_000, tickets: 3_000, word: ' old' })
    await keepUntil(folder, host.address, isLive)
    await answerOffline(folder)
    const answers = waitingAnswers(folder)
    expect(answers).toHaveLength(1)
    // Fewer than before, so that some have to go at the end.
    await host.hold({ tasks: 2_500, tickets: 2_500, word: ' new' })
    for (const rows of [0, 1_000, 4_500]) {
      await keepUntil(folder, host.address, hasCome(rows))
      const after = readCache(folder)
      expect(after).toMatchObject({ told: [], place: undefined })
      expect(after.titles.filter((title) => title !== ' new' && title !== ' old')).toEqual([])
      expect(waitingAnswers(folder)).toEqual(answers)
    }
    const said = await keepUntil(folder, host.address, isLive)
    expect(said.at(-1)?.rebuilds).toBe(0)
    expect(readCache(folder)).toMatchObject({
      told: [],
      place: 11_000,
      titles: [' new'],
      open: 2_500,
      needsYou: 2_500,
    })
    expect(waitingAnswers(folder)).toEqual(answers)
    const cache = openCache({ path: `${folder}/cache.db` })
    expect(cache.task('box', taskId(2_500))).toEqual(scriptedTask(2_500, { word: ' new' }))
    cache.dispose()
  }, 240_000)
})
