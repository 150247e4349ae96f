import { readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHost } from '../../../tests/support/agentd.ts'
import { openDeskServices, type TestDeskServices } from '../../../tests/support/desk-services.ts'
import { until } from '../../../tests/support/until.ts'
import { createHostStore } from '../../../shared/node/hosts/host-store.ts'
import type { DeskProblem } from '../../../shared/ipc/views.ts'

const WAIT = { timeoutMs: 30_000 }

async function deskForTest(home: string): Promise<TestDeskServices> {
  const desk = await openDeskServices(home)
  onTestFinished(desk.dispose, 60_000)
  return desk
}

const problemsOf = async ({ call }: TestDeskServices) => (await call('desk.state', {})).problems
const namesOf = async ({ call }: TestDeskServices) =>
  (await call('host.list', {})).hosts.map(({ name }) => name)

describe('a desk whose files are damaged', () => {
  it('says which list of hosts cannot be read and why, leaves it alone, and goes on when it is repaired', async () => {
    const host = await startHost()
    onTestFinished(host.dispose, 120_000)
    const store = createHostStore(host.home)
    store.add({ name: 'box', address: 'ws://127.0.0.1:1' })
    const file = path.join(host.home, 'hosts.json')
    const good = readFileSync(file, 'utf8')
    await writeFile(file, good.slice(0, -20))
    const desk = await deskForTest(host.home)
    const [problem] = await problemsOf(desk)
    expect(problem).toMatchObject({ kind: 'hosts_unreadable', path: file })
    expect(problem?.why).toMatch(/JSON/)
    expect(await namesOf(desk)).toEqual(['local'])
    await expect(desk.call('host.add', { name: 'more', address: 'ws://127.0.0.1:2' })).rejects.toMatchObject({
      code: 'bad_request',
    })
    expect(readFileSync(file, 'utf8')).toBe(good.slice(0, -20))

    await writeFile(file, good)
    await until('the host to be there', async () => (await namesOf(desk)).includes('box'), WAIT)
    expect(await problemsOf(desk)).toEqual([])
    const told = desk.eventsOf('desk.problems').map((event) => event.payload as { problems: DeskProblem[] })
    expect(told.at(-1)).toEqual({ problems: [] })

    // Damaged while it runs: who is known stays, and the person can have it read again by hand.
    await writeFile(file, good.replace('"ws:', '"nonsense:'))
    await until('the problem', async () => (await problemsOf(desk)).length === 1, WAIT)
    expect(await namesOf(desk)).toEqual(['local', 'box'])
    await writeFile(file, good)
    await desk.call('host.reload', {})
    expect(await problemsOf(desk)).toEqual([])
  })

  it('keeps an answer in a new file when that of answers is damaged, and tells where the old one is', async () => {
    const host = await startHost()
    onTestFinished(host.dispose, 120_000)
    const desk = await deskForTest(host.home)
    await desk.untilPaired()
    const { task } = await desk.call('demo.start', {})
    const row = await until(
      'the request',
      async () => (await desk.call('inbox.window', {})).rows.find(({ taskId }) => taskId === task.id),
      WAIT,
    )
    // A window is there, and hears what is told.
    await desk.call('desk.state', {})
    const file = path.join(host.home, 'desk/desk.db')
    await writeFile(file, Buffer.alloc(statSync(file).size, 0xa5), { flag: 'r+' })
    await writeFile(`${file}-wal`, '')
    const at = { host: 'local', ticketId: row.ticketId ?? '' }
    const { ticket } = await desk.call('ticket.get', at)
    const given = { ...at, answer: { kind: 'approve' as const }, seenText: ticket.ask.text }
    expect(['queued', 'applied']).toContain((await desk.call('ticket.answer', given)).kind)
    await until('it to arrive', async () => (await desk.call('outbox.list', {})).entries.length === 0, WAIT)
    await until(
      'the next request',
      async () =>
        (await desk.call('inbox.window', {})).rows.some(({ ticketId }) => ticketId !== row.ticketId),
      WAIT,
    )
    const notice = desk
      .eventsOf('desk.notice')
      .map((event) => event.payload as { code: string; text?: string })
      .find(({ code }) => code === 'answers_set_aside')
    expect(notice?.text).toMatch(/desk\.db\.damaged-/)
    expect(statSync(notice?.text ?? '').size).toBeGreaterThan(0)
    expect(await problemsOf(desk)).toEqual([])
    // What was notified goes into the new file as well.
    const reads = new Database(file, { readonly: true })
    onTestFinished(() => void reads.close())
    await until(
      'the memory of notifications',
      () => Number(reads.prepare('SELECT count(*) FROM notified').pluck().get()) > 0,
      WAIT,
    )
  })
})
