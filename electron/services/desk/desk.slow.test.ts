import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hostForTest, startHost } from '../../../tests/support/agentd.ts'
import { openDeskServices, type TestDeskServices } from '../../../tests/support/desk-services.ts'
import { until } from '../../../tests/support/until.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import type { InboxRow } from '../../../shared/ipc/views.ts'

const WAIT = { timeoutMs: 30_000 }

async function deskForTest(home: string): Promise<TestDeskServices> {
  const desk = await openDeskServices(home)
  onTestFinished(desk.dispose, 60_000)
  return desk
}

/** The next ticket of a task that nobody has answered. */
function nextTicket({ call }: TestDeskServices, what: string, fits: (row: InboxRow) => boolean) {
  return until(
    what,
    async () => (await call('inbox.window', {})).rows.find((row) => row.outbox === undefined && fits(row)),
    WAIT,
  )
}

async function answer(desk: TestDeskServices, row: InboxRow, how: 'approve' | 'first option') {
  const at = { host: row.host, ticketId: row.ticketId ?? '' }
  const { ticket, mayAnswer } = await desk.call('ticket.get', at)
  expect(mayAnswer).toBe(true)
  const label = ticket.ask.kind === 'question' ? (ticket.ask.options[0]?.label ?? '') : ''
  const given =
    how === 'approve' ? { kind: 'approve' as const } : { kind: 'options' as const, labels: [label] }
  return desk.call('ticket.answer', { ...at, answer: given, seenText: ticket.ask.text })
}

async function stateOf({ call }: TestDeskServices, host: string) {
  return (await call('host.list', {})).hosts.find(({ name }) => name === host)?.state.kind
}

async function sees({ call }: TestDeskServices, section: InboxRow['section']) {
  return (await call('inbox.window', {})).rows.some((row) => row.section === section)
}

const codesOf = (desk: TestDeskServices) =>
  desk.eventsOf('desk.notice').map((event) => (event.payload as { code: string }).code)

describe('a desk on a real agentd', () => {
  it('plays the first task from the first click to the accepted result', async () => {
    const host = await startHost()
    onTestFinished(host.dispose, 120_000)
    const desk = await deskForTest(host.home)
    await desk.untilPaired()
    const { task } = await desk.call('demo.start', {})
    const ours = { host: 'local', taskId: task.id }
    const isOurs = (row: InboxRow) => row.taskId === task.id

    const routine = await nextTicket(
      desk,
      'the routine request',
      (row) => isOurs(row) && row.kind === 'command',
    )
    // Nobody works in its repository again.
    expect(await desk.call('repo.recent', {})).toEqual({ paths: [] })
    // Nobody but the person reviews what was begun at the desk.
    expect(routine.section).toBe('needs_you')
    expect(routine.riskReason).toBeUndefined()
    expect(await answer(desk, routine, 'approve')).toMatchObject({ kind: 'applied' })

    const question = await nextTicket(desk, 'the question', (row) => isOurs(row) && row.kind === 'question')
    expect(question).toMatchObject({ section: 'needs_you', topic: 'product' })
    await until('the badge', () => desk.desk.attention().badge === 1, WAIT)
    expect(await answer(desk, question, 'first option')).toMatchObject({ kind: 'applied' })

    const dangerous = await nextTicket(
      desk,
      'the dangerous request',
      (row) => isOurs(row) && row.riskReason !== undefined,
    )
    const at = { host: 'local', ticketId: dangerous.ticketId ?? '' }
    const seen = askDigest((await desk.call('ticket.get', at)).ticket.ask)
    await expect(desk.desk.act({ ...at, seen, action: { kind: 'approve' } })).rejects.toMatchObject({
      code: 'person_required',
    })
    await until('the notification', () => desk.shown.some(({ ticketId }) => ticketId === at.ticketId), WAIT)
    expect(
      desk.shown.find(({ ticketId }) => ticketId === at.ticketId)?.actions.map(({ id }) => id),
    ).not.toContain('approve')
    await desk.desk.act({ ...at, seen, action: { kind: 'deny', message: 'Leave it.' } })
    await until('the notification to be withdrawn', () => desk.withdrawn.length > 0, WAIT)

    await nextTicket(desk, 'the review', (row) => isOurs(row) && row.section === 'to_review')
    const diff = await desk.call('task.diff', { host: 'local', taskId: task.id, jobId: 'diff-1' })
    expect(diff).toMatchObject({ cut: false, from: task.base })
    expect(diff.diff).toContain('Hello, ${name}!')

    const text = 'Say in the README how it is used.\ndemo: append README.md Use it.\ndemo: commit Use'
    expect(await desk.call('task.continue', { host: 'local', taskId: task.id, text })).toMatchObject({
      kind: 'sent',
    })
    const detail = await until(
      'the second round',
      async () => {
        const now = await desk.call('task.get', { host: 'local', taskId: task.id })
        return now.rounds.length === 2 && now.task.state === 'waiting_review' ? now : undefined
      },
      WAIT,
    )
    expect(detail).toMatchObject({ fresh: true, outbox: [] })
    const second = await desk.call('task.diff', {
      host: 'local',
      taskId: task.id,
      jobId: 'diff-2',
      round: 2,
      against: 1,
    })
    expect(second.diff).toContain('README.md')

    const { terminalId } = await desk.call('terminal.open', { ...ours, cols: 80, rows: 24 })
    await until('the screen of the executor', () => desk.eventsOf('terminal.data').length > 0, WAIT)
    expect(desk.eventsOf('terminal.data')[0]).toMatchObject({
      windowId: 'test',
      payload: { terminalId, seq: 1, reset: true },
    })
    await desk.call('terminal.close', { terminalId })

    const ran = await desk.call('task.run', {
      host: 'local',
      taskId: task.id,
      jobId: 'run-1',
      command: 'echo 深 && exit 3',
    })
    expect(ran).toEqual({ exitCode: 3, signal: null, timedOut: false })
    expect(desk.eventsOf('run.output')).toMatchObject([{ payload: { jobId: 'run-1', chunk: '深\n' } }])

    await expect(desk.call('task.done', { ...ours, push: false, round: 1 })).rejects.toMatchObject({
      code: 'wrong_answer',
    })
    await expect(desk.call('task.continue', { ...ours, text: 'More.', round: 1 })).rejects.toMatchObject({
      code: 'wrong_answer',
    })
    const done = await desk.call('task.done', { ...ours, push: false, round: 2 })
    expect(done.task.state).toBe('completed')
    await until('an empty inbox', async () => (await desk.call('inbox.window', {})).total === 0, WAIT)
    await until('an empty badge', () => desk.desk.attention().badge === 0, WAIT)
    const changed = desk.eventsOf('desk.changed').map((event) => event.payload as { revision: number })
    expect(changed.length).toBeGreaterThan(5)
    expect(changed.map(({ revision }) => revision)).toEqual(
      changed.map((_, index) => (changed[0]?.revision ?? 0) + index),
    )
  })

  it('sends code to another host, keeps an answer while it is away, and brings the result back', async () => {
    const { host: local, repo } = await hostForTest()
    const box = await startHost()
    onTestFinished(box.dispose, 120_000)
    const desk = await deskForTest(local.home)
    await desk.call('host.add', { name: 'box', address: `unix://${box.socket}` })
    await desk.untilPaired('box')
    const plan = '# Ask\n\ndemo: fast\ndemo: ask-permission ls\ndemo: write a.txt x\ndemo: commit A'
    await repo.write('draft.txt', 'not committed')
    const { task } = await desk.call('task.dispatch', {
      jobId: 'dispatch-1',
      host: 'box',
      repoPath: repo.path,
      executor: 'demo',
      includeDirty: true,
      plan,
    })
    expect(task).toMatchObject({ title: 'Ask', repo: { kind: 'clone' } })
    expect(desk.eventsOf('job.progress').length).toBeGreaterThan(1)
    expect(await repo.git('show', '--name-only', '--format=%P', task.base)).toBe(`${repo.head}\n\ndraft.txt`)
    const { settings } = await desk.call('desk.state', {})
    expect(settings.lastTask).toEqual({ host: 'box', repoPath: repo.path, executor: 'demo' })

    const row = await nextTicket(desk, 'the request', ({ taskId }) => taskId === task.id)
    const other = await deskForTest(local.home)
    await other.untilPaired('box')
    await box.end('SIGKILL')
    await until('the host to be away', async () => (await stateOf(desk, 'box')) === 'offline', WAIT)
    expect(await answer(desk, row, 'approve')).toMatchObject({ kind: 'queued' })
    const waiting = async (of: TestDeskServices) => (await of.call('outbox.list', {})).entries.length
    await until('the other desk to see it', async () => (await waiting(other)) === 1, WAIT)
    expect(await desk.call('task.get', { host: 'box', taskId: task.id })).toMatchObject({ fresh: false })
    await expect(desk.call('task.cancel', { host: 'box', taskId: task.id })).rejects.toMatchObject({
      code: 'host_unreachable',
    })
    await box.start()
    desk.desk.wake()
    await until('the notice', () => codesOf(desk).includes('answer_delivered'), WAIT)
    await until('the branch to be here', () => repo.git('rev-parse', '--verify', task.branch), WAIT)
    expect(await repo.git('show', `${task.branch}:a.txt`)).toBe('x')
    const { tickets } = await desk.call('task.get', { host: 'box', taskId: task.id })
    expect(
      tickets.filter(({ ask, state }) => ask.kind === 'permission' && state === 'delivered'),
    ).toHaveLength(1)
    await until('the other desk to see the review', () => sees(other, 'to_review'), WAIT)
    expect([await waiting(desk), await waiting(other)]).toEqual([0, 0])
    const { entries } = await desk.call('audit.list', { host: 'box' })
    expect(entries.filter(({ decision }) => decision === 'approve')).toHaveLength(1)
    expect(codesOf(desk)).not.toContain('sync_failed')
  })

  it('removes the repository of a demo that is over when it starts again', async () => {
    const host = await startHost()
    onTestFinished(host.dispose, 120_000)
    const desk = await openDeskServices(host.home)
    await desk.untilPaired()
    const { task } = await desk.call('demo.start', {})
    await desk.call('task.cancel', { host: 'local', taskId: task.id })
    await desk.dispose()
    expect(existsSync(task.repo.path)).toBe(true)
    const next = await deskForTest(host.home)
    await next.untilPaired()
    await until('the repository to go', () => !existsSync(task.repo.path), WAIT)
  })

  it('begins anew with a cache that is damaged and forgets hosts that were removed', async () => {
    const host = await startHost()
    onTestFinished(host.dispose, 120_000)
    const first = await openDeskServices(host.home)
    await first.untilPaired()
    const { task } = await first.call('demo.start', {})
    await nextTicket(first, 'the request', ({ taskId }) => taskId === task.id)
    await first.dispose()
    for (const file of ['cache.db', 'cache.db-wal', 'cache.db-shm'])
      await rm(path.join(host.home, 'desk', file), { force: true })
    await writeFile(path.join(host.home, 'desk/cache.db'), 'no database at all '.repeat(1_000))
    const desk = await deskForTest(host.home)
    expect((await desk.call('desk.state', {})).hosts.map(({ name }) => name)).toEqual(['local'])
    await until('the notice', () => codesOf(desk).includes('cache_rebuilt'), WAIT)
    await nextTicket(desk, 'the request, from the host again', ({ taskId }) => taskId === task.id)
    expect((await desk.call('task.window', {})).total).toBe(1)
  })
})
