import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { survivors } from '../../agentd/executors/reap.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, hostForTest, nextWake, requestId, type TestHost } from '../support/agentd.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('tmux', 'git')

async function restarted(host: TestHost): Promise<HostConnection> {
  await host.start()
  return host.connect()
}

const demoFile = (host: TestHost, taskId: string, name: string): string =>
  path.join(host.home, 'tasks', taskId.slice(0, 8), 'demo', name)

/** The prompts that the demo executor of a task has taken. */
async function promptsOf(host: TestHost, taskId: string): Promise<number> {
  const lines = (await readFile(demoFile(host, taskId, 'deliveries.jsonl'), 'utf8'))
    .split('\n')
    .filter(Boolean)
  return lines.filter((line) => line.includes('"prompt"')).length
}

it.skipIf(needs.skip)(
  needs.title('brings tasks up once whenever agentd is killed on the way from dispatch to the first prompt'),
  async () => {
    const { host, repo } = await hostForTest()
    let connection = await host.connect()
    const tasks: string[] = []
    const moments = [
      () => true,
      (task: { worktree: string }) => existsSync(task.worktree),
      (task: { worktree: string }) => existsSync(path.join(task.worktree, 'README.md')),
      (task: { id: string }) => existsSync(demoFile(host, task.id, 'config.json')),
      (task: { id: string }) => existsSync(demoFile(host, task.id, 'demo.sock')),
      (task: { id: string }) => existsSync(demoFile(host, task.id, 'deliveries.jsonl')),
    ]
    for (const moment of moments) {
      const task = await dispatchDemo(connection, repo.path, 'demo: write a.txt a\ndemo: commit')
      tasks.push(task.id)
      await until('the moment has come', () => moment(task), { intervalMs: 1, timeoutMs: 60_000 })
      await host.end('SIGKILL')
      connection = await restarted(host)
    }
    for (const task of tasks) {
      expect((await nextWake(connection, task)).event.type).toBe('completed')
      const { events } = await connection.call('task.events', { task, afterSeq: 0 })
      expect(events.filter(({ type }) => type === 'started' || type === 'submitted')).toHaveLength(2)
      expect(await promptsOf(host, task)).toBe(1)
    }
    connection.close()
  },
)

it.skipIf(needs.skip)(
  needs.title(
    'finishes after a restart what "done" and "cancel" had begun, and answers the request sent again',
  ),
  async () => {
    const { host, repo } = await hostForTest()
    let connection = await host.connect()
    const moments = [
      () => true,
      (task: { id: string }) => survivors(task.id).length === 0,
      (task: { worktree: string }) => !existsSync(task.worktree),
    ]
    for (const moment of moments) {
      const plan = 'demo: setsid-child\ndemo: write a.txt a\ndemo: commit'
      const [one, two] = [
        await dispatchDemo(connection, repo.path, plan),
        await dispatchDemo(connection, repo.path, plan),
      ]
      await nextWake(connection, one.id)
      await nextWake(connection, two.id)
      const done = { requestId: requestId(), task: one.id, push: false, keepWorktree: false }
      const cancel = { requestId: requestId(), task: two.id }
      const calls = [connection.call('task.done', done), connection.call('task.cancel', cancel)]
      const settled = Promise.allSettled(calls)
      await until('the moment has come', () => moment(one), { intervalMs: 1, timeoutMs: 60_000 })
      await host.end('SIGKILL')
      await settled
      connection = await restarted(host)
      expect(await connection.call('task.done', done)).toMatchObject({ worktree: 'removed' })
      expect((await connection.call('task.cancel', cancel)).task.state).toBe('cancelled')
      expect(existsSync(one.worktree)).toBe(false)
      expect([...survivors(one.id), ...survivors(two.id)]).toEqual([])
      for (const task of [one.id, two.id]) {
        const { events } = await connection.call('task.events', { task, afterSeq: 0 })
        expect(events.filter(({ type }) => type === 'done' || type === 'cancelled')).toHaveLength(1)
      }
    }
    connection.close()
  },
)
