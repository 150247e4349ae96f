// A host whose database is put back to an earlier state, as from a backup, and whose event numbers then pass the old ones again.
import { execa } from 'execa'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { askDigest } from '../../shared/node/ask-digest.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { homePaths } from '../../shared/node/home.ts'
import { dispatchDemo, hostForTest, requestId, type TestHost } from '../support/agentd.ts'
import { openDeskServices } from '../support/desk-services.ts'
import type { TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js')
const needs = requires('tmux', 'git')
const slow = { timeoutMs: 60_000 }
const ASKS = 'demo: fast\ndemo: ask-permission npm test'

describe.skipIf(needs.skip)(needs.title('a host that was restored from a backup'), () => {
  let host: TestHost
  let repo: TestRepository
  let other: HostConnection
  let taskId: string

  const database = () => homePaths({ HANDOFF_HOME: host.home }).database
  const inDatabase = (work: (file: string) => void) => ['', '-wal', '-shm'].forEach((end) => work(end))

  async function restarted(meanwhile: () => void): Promise<void> {
    other.close()
    await host.end('SIGTERM')
    meanwhile()
    await host.start()
    other = await host.connect({ clientId: 'elsewhere' })
  }

  const backUp = () => restarted(() => cpSync(database(), path.join(host.root, 'backup.db')))

  const restore = () =>
    restarted(() => {
      inDatabase((end) => rmSync(`${database()}${end}`, { force: true }))
      cpSync(path.join(host.root, 'backup.db'), database())
    })

  async function note(text: string): Promise<number> {
    return (await other.call('task.note', { requestId: requestId(), task: taskId, text })).seq
  }

  /** Events of another history, until their numbers have passed the ones that were given out before. */
  async function passes(seq: number): Promise<void> {
    for (let n = 1; (await note(`after the restore, ${n}`)) < seq + 3;) n += 1
  }

  beforeEach(async () => {
    ;({ host, repo } = await hostForTest())
    other = await host.connect({ clientId: 'elsewhere' })
    onTestFinished(() => other.close())
    taskId = (await dispatchDemo(other, repo.path, ASKS)).id
    await until('the request', async () => (await other.call('ticket.list', {})).tickets[0], slow)
  }, 120_000)

  it('leaves nothing in a desk of what happened in the history that is gone', async () => {
    const opened = await openDeskServices(host.home)
    await opened.untilPaired()
    await opened.desk.dispose()
    await backUp()
    const before = await openDeskServices(host.home)
    const { id: lost } = await dispatchDemo(other, repo.path, ASKS)
    await until(
      'the other task to wait',
      async () => (await before.call('inbox.window', {})).rows.some((row) => row.taskId === lost),
      slow,
    )
    await before.desk.dispose()
    // Its executor would outlive a host that has never heard of it.
    await other.call('task.cancel', { requestId: requestId(), task: lost })
    const { headSeq } = await other.call('task.list', {})
    await restore()
    await passes(headSeq)

    const after = await openDeskServices(host.home)
    onTestFinished(() => after.desk.dispose())
    await after.untilPaired()
    const { task } = await other.call('task.get', { task: taskId })
    await until(
      'the task as it is now',
      async () => (await after.call('task.get', { host: 'local', taskId })).task.lastSeq === task.lastSeq,
    )
    const rows = async (name: 'inbox.window' | 'task.window') =>
      (await after.call(name, {})).rows.map((row) => row.taskId)
    expect(await rows('task.window')).toEqual([taskId])
    expect(await rows('inbox.window')).toEqual([taskId])
  }, 120_000)

  it('is followed by the command line from the beginning of its new history', async () => {
    const places = path.join(host.home, 'follow')
    /** Whether it is written down that the event was printed. */
    const isKept = (seq: number) =>
      existsSync(places) &&
      readdirSync(places).some((client) => {
        const file = path.join(places, client, taskId)
        return existsSync(file) && readFileSync(file, 'utf8').startsWith(`${seq} `)
      })
    const follow = async (seq: number): Promise<string> => {
      const following = execa(process.execPath, [CLI, 'wait', taskId, '--follow'], {
        cwd: repo.path,
        env: host.environment,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        buffer: false,
      })
      let text = ''
      following.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
      await until('the events', () => isKept(seq), slow)
      following.kill('SIGKILL')
      await following
      return text
    }
    await backUp()
    await note('in the history that is gone')
    const seq = await note('the last one')
    expect(await follow(seq)).toContain('that is gone')
    await restore()
    await passes(seq)
    const printed = await follow(seq + 3)
    expect(printed).toContain(`"seq":${seq},`)
    expect(printed).not.toContain('that is gone')
  }, 120_000)

  it('does not count as seen what gets the number of an event that is gone', async () => {
    await backUp()
    await restore()
    const { headSeq } = await other.call('task.list', {})
    await other.call('events.ack', { consumer: 'elsewhere', seq: headSeq + 50 })
    const wait = { consumer: 'elsewhere', tasks: [] as string[], until: 'wake' as const }
    expect((await other.call('wait.next', wait)).event.type).toBe('permission_request')
  }, 120_000)

  it('is not given an answer to something else that it asks under the same id', async () => {
    const [ticket] = (await other.call('ticket.list', {})).tickets
    if (ticket?.ask.kind !== 'permission') throw new Error('it should ask for a permission')
    const seen = askDigest({ ...ticket.ask, text: 'rm -rf build' })
    const approve = { ticket: ticket.id, answer: { kind: 'approve' } } as const
    await expect(
      other.call('ticket.answer', { ...approve, requestId: requestId(), seen }),
    ).rejects.toMatchObject({ code: 'wrong_answer' })
    expect((await other.call('ticket.get', { ticket: ticket.id })).ticket.state).toBe('open')
    const right = { ...approve, requestId: requestId(), seen: askDigest(ticket.ask) }
    expect((await other.call('ticket.answer', right)).kind).toBe('applied')

    const review = await until(
      'the review',
      async () => (await other.call('ticket.list', {})).tickets.find(({ ask }) => ask.kind === 'review'),
      slow,
    )
    if (review.ask.kind !== 'review') throw new Error('it should be a review')
    const task = { task: taskId, seen: askDigest({ ...review.ask, round: 2 }) }
    for (const decided of [
      () => other.call('task.continue', { ...task, requestId: requestId(), text: 'More.' }),
      () => other.call('task.done', { ...task, requestId: requestId(), push: false, keepWorktree: false }),
    ])
      await expect(decided()).rejects.toMatchObject({ code: 'wrong_answer' })
    const done = { task: taskId, requestId: requestId(), push: false, keepWorktree: false }
    expect((await other.call('task.done', { ...done, seen: askDigest(review.ask) })).task.state).toBe(
      'completed',
    )
  }, 120_000)
})
