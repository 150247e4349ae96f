import { execFile } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { survivors } from '../../agentd/executors/reap.ts'
import { dispatchDemo, hostForTest, nextWake, requestId } from '../support/agentd.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const needs = requires('tmux', 'git')

it.skipIf(needs.skip)(
  needs.title('tells of executors that ended while agentd was down, and of a tmux server that was killed'),
  async () => {
    const { host, repo } = await hostForTest()
    let connection = await host.connect()
    const one = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls')
    await nextWake(connection, one.id)
    await host.end('SIGKILL')
    for (const pid of survivors(one.id)) process.kill(pid, 'SIGKILL')
    await host.start()
    connection = await host.connect()
    expect((await nextWake(connection, one.id)).event.type).toBe('crashed')
    const { tickets } = await connection.call('task.get', { task: one.id })
    expect(tickets.map(({ state }) => state)).toEqual(['expired'])
    const two = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls')
    await nextWake(connection, two.id)
    await run('tmux', ['kill-server'], { env: host.environment })
    expect((await nextWake(connection, two.id)).event.type).toBe('crashed')
    const three = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls')
    expect((await nextWake(connection, three.id)).event.type).toBe('permission_request')
    connection.close()
  },
)

it.skipIf(needs.skip)(
  needs.title('goes on when a worktree or branch is deleted, a lock is left or the repository is moved away'),
  async () => {
    const { host, repo } = await hostForTest()
    const connection = await host.connect()
    const dispatch = async () => {
      const task = await dispatchDemo(connection, repo.path, 'demo: ask more?\ndemo: say bye')
      expect((await nextWake(connection, task.id)).event.type).toBe('question')
      return task
    }
    const goOn = async (task: string) => {
      const { tickets } = await connection.call('ticket.list', { task })
      const ticket = tickets[0]?.id ?? ''
      await connection.call('ticket.answer', {
        requestId: requestId(),
        ticket,
        answer: { kind: 'text', text: 'go' },
      })
      return nextWake(connection, task)
    }
    const cancel = (task: string) => connection.call('task.cancel', { requestId: requestId(), task })
    const [deleted, branchless, locked, moved] = [
      await dispatch(),
      await dispatch(),
      await dispatch(),
      await dispatch(),
    ]
    await rm(deleted.worktree, { recursive: true })
    expect(['turn_failed', 'crashed']).toContain((await goOn(deleted.id)).event.type)
    await repo.git('update-ref', '-d', `refs/heads/${branchless.branch}`)
    expect((await goOn(branchless.id)).event.type).toMatch(/turn_failed|completed|question/)
    for (const lock of ['config.lock', 'packed-refs.lock', 'HEAD.lock', 'index.lock'])
      await writeFile(path.join(repo.path, '.git', lock), '')
    expect((await goOn(locked.id)).event.type).toMatch(/turn_failed|completed|question/)
    for (const lock of ['config.lock', 'packed-refs.lock', 'HEAD.lock', 'index.lock'])
      await rm(path.join(repo.path, '.git', lock))
    await rename(repo.path, `${repo.path}-moved`)
    onTestFinished(() => rm(`${repo.path}-moved`, { recursive: true, force: true }))
    expect((await goOn(moved.id)).event.type).toMatch(/turn_failed|crashed/)
    const { task } = await connection.call('task.get', { task: moved.id })
    if (task.state === 'waiting_review') {
      const input = { requestId: requestId(), task: moved.id, push: false, keepWorktree: false }
      const done = await connection.call('task.done', input)
      expect(done.worktree).toBe('kept')
      expect(done.worktreeWhy).toMatch(/could not be removed/)
    }
    for (const task of [deleted, branchless, locked, moved]) {
      await cancel(task.id).catch((error: unknown) => expect(error).toMatchObject({ code: 'task_over' }))
      expect(survivors(task.id)).toEqual([])
    }
    expect((await connection.call('gc.run', { dryRun: true })).removed.length).toBeGreaterThan(0)
    await connection.call('gc.run', { dryRun: false })
    connection.close()
  },
)

it.skipIf(needs.skip)(needs.title('takes thirty tasks for one repository at once'), async () => {
  const { host, repo } = await hostForTest()
  const connection = await host.connect()
  const tasks = await Promise.all(
    Array.from({ length: 30 }, () =>
      dispatchDemo(connection, repo.path, 'demo: write a.txt a\ndemo: commit'),
    ),
  )
  expect(new Set(tasks.map(({ branch }) => branch)).size).toBe(30)
  await until(
    'all wait for review',
    async () =>
      (await connection.call('task.list', { over: true })).tasks.every(
        ({ state }) => state === 'waiting_review',
      ),
    { timeoutMs: 100_000, intervalMs: 250 },
  )
  connection.close()
})
