import os from 'node:os'
import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import { pino } from 'pino'
import type { CallContext } from '../../agentd/server/call-context.ts'
import { openStore } from '../../agentd/store/open-store.ts'
import { createEngine } from '../../agentd/tasks/engine.ts'
import { createFactLog } from '../../agentd/tasks/fact-log.ts'
import { createJudge } from '../../agentd/tasks/judge.ts'
import { taskFolder, tmuxSession } from '../../agentd/tasks/workspace.ts'
import type { Actor } from '../../shared/domain/actor.ts'
import type { Task } from '../../shared/domain/task.ts'
import { createShellParser } from '../../shared/node/shell-parser.ts'
import { createPuppet, type Puppet } from './puppet-executor.ts'
import { createRepository } from './repository.ts'
import { createTempDir } from './temp.ts'
import { until } from './until.ts'

type ClientActor = Extract<Actor, { kind: 'client' }>

/** The client that tests act as unless they say otherwise. */
export const reviewer: ClientActor = {
  kind: 'client',
  clientId: 'reviewer',
  clientKind: 'test',
  name: 'reviewer',
  role: 'reviewer',
  via: 'socket',
}

/** The engine on a real store and a real repository, with a puppet for an executor and a clock that the test sets. */
export async function createEnginePlace({
  watchdogMs = 3_600_000,
  puppet = createPuppet(),
}: { watchdogMs?: number; puppet?: Puppet } = {}) {
  const folder = await createTempDir('eng-')
  const repo = await createRepository()
  const home = path.join(folder.path, 'home')
  for (const name of ['worktrees', 'tasks', 'repos', 'incoming'])
    await mkdir(path.join(home, name), { recursive: true })
  const store = openStore({ path: path.join(home, 'handoff.db') })
  const parse = await createShellParser()
  let person = false
  let skewMs = 0
  const diskFullTold: number[] = []
  const presenceListeners = new Set<() => void>()
  const now = (): number => Date.now() + skewMs
  const facts = createFactLog({ store, now })
  const build = () =>
    createEngine({
      store,
      facts,
      judge: createJudge({ parse, home: os.homedir() }),
      presence: {
        personConnected: () => person,
        onChange(listener) {
          presenceListeners.add(listener)
          return () => presenceListeners.delete(listener)
        },
      },
      adapters: new Map([['puppet', puppet.adapter]]),
      log: pino({ level: 'silent' }),
      now,
      home,
      watchdogMs,
      environment: () => Promise.resolve({}),
      describe: (task) =>
        Promise.resolve({
          taskId: task.id,
          title: task.title,
          worktree: task.worktree,
          branch: task.branch,
          base: task.base,
          plan: store.tasks.private(task.id).plan,
          dir: taskFolder(home, task.id),
          tmuxSession: tmuxSession(task.id),
          environment: {},
        }),
      reap: () => Promise.resolve(),
      onDiskFull: () => void diskFullTold.push(now()),
    })
  let engine = build()

  return {
    store,
    facts,
    repo,
    /** When people were told that the disk is full. */
    diskFullTold,
    puppet,
    engine: () => engine,
    now,
    /** Moves the clock forward (or back). */
    skew: (ms: number) => void (skewMs += ms),
    setPerson(connected: boolean): void {
      person = connected
      for (const listener of [...presenceListeners]) listener()
    },
    context: (actor: ClientActor = reviewer): CallContext => ({
      actor,
      role: actor.role,
      signal: new AbortController().signal,
      connectionSignal: new AbortController().signal,
      write: () => Promise.resolve(),
    }),
    /** A task that is running and has had its first prompt. */
    async running(): Promise<Task> {
      const { task } = await engine.dispatch(
        {
          requestId: `engine-${Math.random().toString(36).slice(2)}`,
          title: 'A test',
          plan: 'Do it.',
          executor: 'puppet',
          repo: { kind: 'path', path: repo.path },
          inPlace: false,
          allowDirty: false,
        },
        this.context(),
      )
      await until(
        'the prompt is delivered',
        () =>
          puppet.delivered.some((one) => one.kind === 'prompt') &&
          store.deliveries.pending(task.id).length === 0 &&
          store.tasks.get(task.id)?.state === 'running',
      )
      return store.tasks.get(task.id) as Task
    },
    types: (taskId: string): string[] => store.events.ofTask(taskId, 0, 1_000).map((row) => row.type),
    /** As if agentd had been killed and started again: a new engine on the same store. */
    async restart(): Promise<void> {
      await engine.dispose()
      engine = build()
      await engine.recover()
    },
    async dispose(): Promise<void> {
      await engine.dispose()
      store.close()
      await repo.dispose()
      await folder.dispose()
    },
  }
}

export type EnginePlace = Awaited<ReturnType<typeof createEnginePlace>>
