import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import {
  connectHost,
  type ConnectOptions,
  type HostConnection,
} from '../../shared/node/host-client/connection.ts'
import { homePaths } from '../../shared/node/home.ts'
import type { CallInput, CallOutput } from '../../shared/protocol.ts'
import { createRepository, type TestRepository } from './repository.ts'
import { createTempDir } from './temp.ts'
import { createTmuxPlace } from './tmux.ts'

const root = path.resolve(import.meta.dirname, '../..')
const READY_MS = 60_000

/** Options of a test host. `prepare` runs before the first start, for configuration and environment files. */
export interface HostOptions {
  config?: Record<string, unknown>
  environment?: Record<string, string>
  args?: readonly string[]
  /** Default: a folder of its own. */
  home?: string
  prepare?: (home: string) => Promise<void>
}

/**
 * A real agentd (the bundle in dist/, or the source when that is missing) with a home, a tmux server and a HOME of its
 * own. `dispose` cancels every open task, so that no executor outlives the test.
 */
export async function startHost(options: HostOptions = {}) {
  const folder = await createTempDir('ho-')
  const tmux = await createTmuxPlace()
  const home = options.home ?? path.join(folder.path, 'h')
  const { socket } = homePaths({ HANDOFF_HOME: home })
  await mkdir(path.join(home, 'env'), { recursive: true, mode: 0o700 })
  await writeFile(
    path.join(tmux.home, '.gitconfig'),
    '[user]\n\tname = Test\n\temail = test@example.invalid\n',
  )
  if (options.config) await writeFile(path.join(home, 'config.json'), JSON.stringify(options.config))
  await options.prepare?.(home)
  const environment: NodeJS.ProcessEnv = {
    ...tmux.environment,
    // A login shell with a person's start-up files would only make the start slow.
    SHELL: '/bin/sh',
    HANDOFF_HOME: home,
    ...options.environment,
  }
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const args = [path.join(root, 'dist/agentd.js'), 'run', ...(options.args ?? [])]
    const started = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    await ready(started)
  }

  /** Ends agentd with a signal and waits until it is gone. Executors live on. */
  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill(signal)
    await gone
  }

  const connect = (more: Partial<ConnectOptions> = {}): Promise<HostConnection> =>
    connectHost({
      address: { kind: 'unix', path: socket },
      clientId: 'test',
      kind: 'test',
      name: 'test',
      version: '0',
      ...more,
    })

  await start()
  return {
    home,
    environment,
    tmux,
    root: folder.path,
    socket,
    pid: () => child?.pid,
    start,
    end,
    connect,
    async dispose(): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) await start()
      const connection = await connect({ clientId: 'cleanup' })
      const { tasks } = await connection.call('task.list', {})
      await Promise.all(
        tasks.map((task) => connection.call('task.cancel', { requestId: requestId(), task: task.id })),
      )
      connection.close()
      await end('SIGTERM')
      await tmux.dispose()
      await folder.dispose()
    },
  }
}

export type TestHost = Awaited<ReturnType<typeof startHost>>

/** A host and a repository for one test; both go when it is over. */
export async function hostForTest(): Promise<{ host: TestHost; repo: TestRepository }> {
  const host = await startHost()
  onTestFinished(host.dispose, 120_000)
  const repo = await createRepository()
  onTestFinished(repo.dispose)
  return { host, repo }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`agentd was not ready in time: ${output}`)), READY_MS)
    const hear = (chunk: Buffer): void => {
      output += chunk.toString()
      if (!output.includes('agentd ready')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`agentd ended with ${code}: ${output}`))
    })
  })
}

let counter = 0
/** A request id that was not used before. */
export const requestId = (): string => `request-${process.pid}-${(counter += 1)}`

/** Dispatches a plan to the demo executor. */
export async function dispatchDemo(
  connection: HostConnection,
  repoPath: string,
  plan: string,
  more: Partial<CallInput<'task.dispatch'>> = {},
): Promise<CallOutput<'task.dispatch'>['task']> {
  const { task } = await connection.call('task.dispatch', {
    requestId: requestId(),
    title: 'A test',
    plan: `demo: fast\n${plan}`,
    executor: 'demo',
    repo: { kind: 'path', path: repoPath },
    ...more,
  })
  return task
}

/** The next event that wakes, acknowledged, so that the next call gets the one after. */
export async function nextWake(
  connection: HostConnection,
  taskId: string,
  consumer = 'test',
): Promise<CallOutput<'wait.next'>> {
  const answer = await connection.call('wait.next', { consumer, tasks: [taskId], until: 'wake' })
  await connection.call('events.ack', { consumer, seq: answer.event.seq, taskId })
  return answer
}

/** The ticket id that an event names. */
export const ticketOf = (answer: CallOutput<'wait.next'>): string => String(answer.event.body['ticketId'])
