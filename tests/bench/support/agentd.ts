import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { openStore } from '../../../agentd/store/open-store.ts'
import type { Store } from '../../../agentd/store/store.ts'
import type { NewEvent } from '../../../shared/domain/event.ts'
import type { Task } from '../../../shared/domain/task.ts'
import { homePaths, openHome, type Home } from '../../../shared/node/home.ts'
import { connectHost, type ConnectOptions } from '../../../shared/node/host-client/connection.ts'
import { sampleTask } from '../../support/sample-facts.ts'
import { privateFacts, taskId } from '../../support/sample-store.ts'

/** The repository that is measured. */
export const root = path.resolve(import.meta.dirname, '../../..')

/** Runs `work` with an empty folder on the disk of the repository (a temporary folder may lie in memory, where syncing is free). */
export async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(path.join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(path.join(root, '.cache/bench-'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** A home whose database holds `tasks` finished tasks with `events` progress events in all, written before agentd runs. */
export async function filledHome(
  folder: string,
  { tasks, events }: { tasks: number; events: number },
): Promise<Home> {
  const home = homePaths({ HANDOFF_HOME: path.join(folder, 'h') })
  await openHome(home)
  const store = openStore({ path: home.database })
  fill(store, tasks, events)
  store.close()
  return home
}

/** A typical event: some words of an executor. */
export const sampleEvent: NewEvent = {
  type: 'progress',
  body: { kind: 'tool', text: 'npm test -- shared/domain: 214 passed, 0 failed in 3.1 s' },
}

function fill(store: Store, tasks: number, events: number): void {
  const now = Date.now()
  store.transaction(() => {
    for (let n = 1; n <= tasks; n++)
      store.tasks.insert(finishedTask(n, now), { ...privateFacts, cleaned: true })
  })
  const batch = 10_000
  for (let from = 0; from < events; from += batch)
    store.transaction(() => {
      for (let n = from; n < Math.min(events, from + batch); n++)
        // A task tells several things in a row before another one is heard.
        store.events.append(taskId((Math.floor(n / 100) % tasks) + 1), now, sampleEvent)
    })
}

function finishedTask(n: number, now: number): Task {
  return sampleTask({ id: taskId(n), state: 'completed', createdAt: now, updatedAt: now, endedAt: now })
}

/** The real agentd of dist/ on `home`, once it serves. */
export async function startAgentd(home: Home, env: NodeJS.ProcessEnv = process.env) {
  const args = ['--no-warnings', path.join(root, 'dist/agentd.js'), 'run', '--home', home.root]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (!String(first[0]).startsWith('agentd ready'))
    throw new Error(`agentd did not start: ${String(first[0])}`)
  const pid = child.pid
  if (pid === undefined) throw new Error('agentd has no process id.')
  return {
    pid,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Connects as a command line would; `more` asks for events. */
export function connect(home: Home, clientId: string, more: Partial<ConnectOptions> = {}) {
  return connectHost({
    address: { kind: 'local' },
    localSocketPath: home.socket,
    clientId,
    kind: 'cli',
    name: 'bench',
    version: '0.0.0',
    ...more,
  })
}

/** What Linux knows about a process: resident memory, CPU time so far, and how often it woke up, all threads together. */
export async function processFacts(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN)
  return {
    rssMegabytes: field('VmRSS') / 1024,
    // Clock ticks of 10 ms; fields 14 and 15 of proc(5), counted from the state.
    cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
    wakeUps: await wakeUps(pid),
  }
}

/** The file of a process counts its first thread only, so the threads are asked one by one. */
async function wakeUps(pid: number): Promise<number> {
  let sum = 0
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8')
    sum += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
  }
  return sum
}
