import os from 'node:os'
import path from 'node:path'
import type { Task } from '../shared/domain/task.ts'
import { AppError } from '../shared/errors.ts'
import { privateFolder, type Home } from '../shared/node/home.ts'
import { createShellParser } from '../shared/node/shell-parser.ts'
import { VERSION } from '../shared/version.ts'
import type { AgentdConfig } from './config.ts'
import type { ExecutorAdapter, ExecutorTask } from './executors/adapter.ts'
import { createDemoAdapter } from './executors/demo/adapter.ts'
import { createOpencodeAdapter } from './executors/opencode/adapter.ts'
import { reapTask } from './executors/reap.ts'
import { createShells, type Shells } from './executors/shells.ts'
import { createTmux, type Tmux } from './executors/tmux.ts'
import { createHandlers } from './handlers/handlers.ts'
import type { HostEnvironment } from './host-environment.ts'
import { createHostInfo } from './host-info.ts'
import type { Logger } from './log.ts'
import { createPresence } from './server/presence.ts'
import { createServer } from './server/server.ts'
import { createTokens } from './server/tokens.ts'
import { createUploads } from './server/uploads.ts'
import type { Store } from './store/store.ts'
import { createEngine } from './tasks/engine.ts'
import { createFactLog } from './tasks/fact-log.ts'
import { createJudge } from './tasks/judge.ts'
import { createRetention } from './tasks/retention.ts'
import { taskFolder, tmuxSession } from './tasks/workspace.ts'

/** What agentd is put together from; `assemble` opens none of it. */
export interface Parts {
  home: Home
  store: Store
  config: AgentdConfig
  environment: HostEnvironment
  log: Logger
  /** Called when a client asks agentd to stop. */
  stop(): void
}

/** Puts agentd together from its parts. Nothing runs yet: `server.listen…` lets clients in, `engine.recover` finds tasks. */
export async function assemble(parts: Parts) {
  const { home, store, config, environment, log, stop } = parts
  const now = Date.now
  const facts = createFactLog({
    store,
    now,
    onListenerFailure: (error) => log.error({ err: error }, 'somebody who listens for events failed'),
  })
  const presence = createPresence()
  const tmux = createTmux({ environment: environment.forTools() })
  const shells = createShells({ environment: environment.forTools() })
  const { adapters, engine } = await assembleEngine({ parts, tmux, shells, facts, presence, now })
  const tokens = createTokens({ store: store.tokens, closeConnections: presence.closeToken, now })
  const identity = { hostId: store.meta.hostId(), name: os.hostname(), version: VERSION }
  const handlers = createHandlers({
    store,
    engine,
    tokens,
    presence,
    uploads: createUploads({ folder: home.incoming }),
    environment,
    home,
    now,
    tmux,
    shells,
    tmuxVersion: rememberVersion(tmux),
    hostInfo: () => hostInfo(),
    stop,
  })
  const host = identity
  const server = createServer({ handlers, store, feed: facts, tokens, presence, host, now, log })
  const hostInfo = createHostInfo({
    identity: { ...identity, startedAt: now(), home: home.root, watchdogMs: config.watchdogMs },
    store,
    environment,
    adapters,
    listening: server.listening,
    now,
  })
  return { server, engine, facts, retention: createRetention({ store, log, now, policy: config }) }
}

interface EngineParts {
  parts: Parts
  tmux: Tmux
  shells: Shells
  facts: ReturnType<typeof createFactLog>
  presence: ReturnType<typeof createPresence>
  now: () => number
}

async function assembleEngine({ parts, tmux, shells, facts, presence, now }: EngineParts) {
  const { home, store, config, environment, log } = parts
  const adapters: ReadonlyMap<string, ExecutorAdapter> = new Map(
    [createDemoAdapter({ tmux }), createOpencodeAdapter({ tmux })].map((adapter) => [adapter.name, adapter]),
  )
  const engine = createEngine({
    store,
    facts,
    judge: createJudge({ parse: await createShellParser(), home: os.homedir() }),
    presence,
    adapters,
    log,
    now,
    home: home.root,
    watchdogMs: config.watchdogMs,
    environment: environment.forExecutor,
    onDiskFull: () =>
      presence.tellAll('disk_full', 'The disk is full: executors wait until there is room. Nothing is lost.'),
    describe: (task) => describeTask(parts, task),
    reap: async (task) => {
      try {
        await shells.closeAll(tmuxSession(task.id))
      } finally {
        // The agent ends also when the tmux server of the shells does not answer.
        const { left } = await reapTask({ taskId: task.id, session: tmuxSession(task.id), tmux })
        if (left.length > 0)
          log.warn({ taskId: task.id, pids: left }, 'processes of an ended task could not be ended')
      }
    },
  })
  return { adapters, engine }
}

/** The version of tmux, asked until it is known. */
function rememberVersion(tmux: Tmux): () => Promise<string | undefined> {
  let known: string | undefined
  return async () => {
    try {
      return (known ??= await tmux.version())
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }
}

async function describeTask({ home, store, environment }: Parts, task: Task): Promise<ExecutorTask> {
  const { plan, model } = store.tasks.private(task.id)
  // Only a program that is yet to be started needs the files; one that runs must be found again even if they are broken.
  const lenient = task.state !== 'pending' && task.state !== 'submitted'
  const dir = taskFolder(home.root, task.id)
  await privateFolder(dir)
  return {
    taskId: task.id,
    title: task.title,
    worktree: task.worktree,
    branch: task.branch,
    base: task.base,
    plan,
    ...(model === undefined ? {} : { model }),
    dir,
    tmuxSession: tmuxSession(task.id),
    environment: await environment.forExecutor(task.executor, task.id, { lenient }),
  }
}

/** Where agentd writes its log. */
export function logPath(home: Home): string {
  return path.join(home.logs, 'agentd.log')
}
