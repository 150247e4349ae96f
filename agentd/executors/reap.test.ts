import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { requires } from '../../tests/support/requirements.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { createTmuxPlace } from '../../tests/support/tmux.ts'
import { until } from '../../tests/support/until.ts'
import { createProcessTable, markInPs, parsePs, parseStat } from './processes.ts'
import { killCommandTree, reapTask, survivors } from './reap.ts'
import { createTmux, type Tmux } from './tmux.ts'

const table = createProcessTable()
const lives = (pid: number) => table.find(pid) !== undefined

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const children: ChildProcess[] = []
afterEach(() => {
  // Each shell leads a group of its own with what it has started.
  for (const { pid } of children.splice(0)) if (pid !== undefined) killGroup(pid)
})

function run(
  script: string,
  env: Record<string, string> = {},
  args: string[] = [],
): ChildProcess & { pid: number } {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    detached: true,
    stdio: 'ignore',
  })
  children.push(child)
  if (child.pid === undefined) throw new Error('The shell could not be started.')
  return child as ChildProcess & { pid: number }
}

/** For tasks whose session is gone already. */
const noTmux: Pick<Tmux, 'serverPid' | 'panes' | 'killSession'> = {
  serverPid: () => Promise.resolve(undefined),
  panes: () => Promise.resolve(undefined),
  killSession: () => Promise.resolve(),
}

async function pidIn(file: string): Promise<number> {
  const text = await until(`a number in ${file}`, () => readFile(file, 'utf8').then((all) => all.trim()))
  return Number(text)
}

describe('reapTask', () => {
  const reap = (taskId: string, graceMs = 300) =>
    reapTask({ taskId, session: 'handoff-none', tmux: noTmux, graceMs })

  it('ends a daemon with setsid, a child without the mark, a stopped one and one that ignores SIGTERM', async () => {
    const taskId = randomUUID()
    const folder = await tempDirForTest()
    const script = `
      setsid sh -c 'echo $$ > daemon; exec sleep 600' &
      env -i sh -c 'echo $$ > unmarked; exec sleep 600' &
      sh -c 'trap "" TERM; echo $$ > deaf; while :; do sleep 1; done' &
      sh -c 'echo $$ > stopped; kill -STOP $$; sleep 600' &
      wait`
    run(`cd ${folder}; ${script}`, { HANDOFF_TASK: taskId })
    const names = ['daemon', 'unmarked', 'deaf', 'stopped']
    const pids = await Promise.all(names.map((name) => pidIn(join(folder, name))))
    const result = await reap(taskId)
    expect(result.left).toEqual([])
    expect(result.killed).toEqual(expect.arrayContaining(pids))
    expect(pids.filter(lives)).toEqual([])
    expect(survivors(taskId)).toEqual([])
  })

  it('lets a program say goodbye before it uses force', async () => {
    const taskId = randomUUID()
    const folder = await tempDirForTest()
    run(`cd ${folder}; trap 'echo bye > bye; exit 0' TERM; echo $$ > ready; while :; do sleep 0.05; done`, {
      HANDOFF_TASK: taskId,
    })
    await pidIn(join(folder, 'ready'))
    await reap(taskId, 5_000)
    expect(await readFile(join(folder, 'bye'), 'utf8')).toBe('bye\n')
  })

  it('spares a program that only mentions the mark, one of another task, and itself', async () => {
    const taskId = randomUUID()
    const mentions = run('sleep 600; true', { OTHER: `HANDOFF_TASK=${taskId}` }, [`HANDOFF_TASK=${taskId}`])
    const other = run('sleep 600', { HANDOFF_TASK: `${taskId}0` })
    expect(await reap(taskId)).toEqual({ killed: [], left: [] })
    expect([mentions.pid, other.pid].every(lives)).toBe(true)
  })

  it('outruns a program that starts itself again and again', async () => {
    const taskId = randomUUID()
    const folder = await tempDirForTest()
    // Each generation ignores SIGTERM, starts the next in a session of its own and ends a moment later.
    const script = `${folder}/again.sh`
    await writeFile(
      script,
      `trap '' TERM\necho x >> ${folder}/log\nsleep 0.02\nsetsid sh ${script} &\nsleep 0.05\n`,
    )
    run(`sh ${script}`, { HANDOFF_TASK: taskId })
    await until('several generations', async () => (await readFile(`${folder}/log`, 'utf8')).length > 10)
    const result = await reap(taskId, 100)
    expect(result.left).toEqual([])
    expect(survivors(taskId)).toEqual([])
  })

  it('finds nothing to do the second time', async () => {
    const taskId = randomUUID()
    run('sleep 600', { HANDOFF_TASK: taskId })
    await until('it runs', () => survivors(taskId).length > 0)
    expect((await reap(taskId)).killed.length).toBeGreaterThan(0)
    expect(await reap(taskId)).toEqual({ killed: [], left: [] })
  })
})

const needs = requires('tmux')
describe.skipIf(needs.skip)(needs.title('reapTask with a tmux session'), () => {
  it("ends the session with unmarked daemons in it and spares the person's other sessions", async () => {
    const place = await createTmuxPlace()
    try {
      const tmux = createTmux({ environment: place.environment })
      const taskId = randomUUID()
      const script = 'env -i setsid sleep 600 & sleep 600'
      await tmux.newSession({ session: 'mine', window: 'w', cwd: '/', argv: ['sleep', '600'], title: 'x' })
      await tmux.newSession({
        session: 'task',
        window: 'w',
        cwd: '/',
        argv: ['sh', '-c', script],
        title: 'x',
      })
      const root = (await tmux.panes('task'))?.[0]?.pid ?? 0
      const started = await until('the daemon', () => {
        const found = table.list().filter((entry) => entry.parent === root)
        return found.length >= 2 ? found : undefined
      })
      const result = await reapTask({ taskId, session: 'task', tmux, graceMs: 300 })
      expect(result.left).toEqual([])
      expect([root, ...started.map(({ pid }) => pid)].filter(lives)).toEqual([])
      expect(await tmux.hasSession('mine')).toBe(true)
      expect(await tmux.hasSession('task')).toBe(false)
    } finally {
      await place.dispose()
    }
  })
})

describe('killCommandTree', () => {
  it('ends a command, what it left in the background and what left its group', async () => {
    const folder = await tempDirForTest()
    const child = run(
      `cd ${folder}; (setsid sh -c 'echo $$ > far; exec sleep 600' & sleep 600) & echo $! > near; wait`,
    )
    const pids = await Promise.all(['far', 'near'].map((name) => pidIn(join(folder, name))))
    const result = await killCommandTree(child.pid, 300)
    expect(result.left).toEqual([])
    expect([child.pid, ...pids].filter(lives)).toEqual([])
  })

  it('ends the group also when its leader is gone', async () => {
    const folder = await tempDirForTest()
    const child = run(`cd ${folder}; sleep 600 & echo $! > left`)
    const left = await pidIn(join(folder, 'left'))
    await until('the leader is gone', () => !lives(child.pid))
    await killCommandTree(child.pid, 300)
    expect(lives(left)).toBe(false)
  })
})

describe('reading process tables', () => {
  it('reads a name with spaces and parentheses, and takes a zombie for gone', () => {
    const rest = '1 42 43 34816 42 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2'
    expect(parseStat(`77 (a) b (c)) S ${rest}`)).toEqual({
      pid: 77,
      parent: 1,
      group: 42,
      session: 43,
      started: '98765',
    })
    expect(parseStat(`77 (x) Z ${rest}`)).toBeUndefined()
  })

  it('reads ps', () => {
    expect(
      parsePs(
        '  77     1    77      0 S+   Mon Nov 30 08:00:00 2026\n 78 1 78 0 Z Mon Nov 30 08:00:00 2026\n',
      ),
    ).toEqual([{ pid: 77, parent: 1, group: 77, session: 0, started: 'Mon Nov 30 08:00:00 2026' }])
  })

  it('does not take an argument for the environment in the output of ps -E', () => {
    const mark = 'HANDOFF_TASK=1'
    expect(markInPs({ plain: `vim ${mark}`, withEnvironment: `vim ${mark} A=1`, mark })).toBe(false)
    expect(markInPs({ plain: 'vim', withEnvironment: `vim A=1 ${mark}`, mark })).toBe(true)
    expect(markInPs({ plain: 'vim', withEnvironment: `vim A=1 ${mark}2`, mark })).toBe(false)
  })
})
