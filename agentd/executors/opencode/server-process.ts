import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutorTask } from '../adapter.ts'
import { readTail } from '../file-tail.ts'
import { paneCommand } from '../pane-command.ts'
import { writePaneSpec } from '../pane-spec.ts'
import type { PaneState, Tmux } from '../tmux.ts'
import type { SavedStateStore } from './adapter-state.ts'
import { createOpencodeApi, type OpencodeApi } from './api.ts'
import { serverEnvironment } from './config.ts'
import { freePort } from './free-port.ts'
import { startFailure } from './start-failure.ts'

const SERVER_WINDOW = 'server'
const AGENT_WINDOW = 'agent'
const LAUNCH_ATTEMPTS = 4
const READY_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000
const POLL_MS = 50
const TAIL_BYTES = 4_096

/** Whose server it is, what is remembered of it, and the tmux that owns it. */
export interface ServerProcessNeeds {
  task: ExecutorTask
  saved: SavedStateStore
  tmux: Tmux
}

/** The `opencode serve` of one task, its own tmux session and the screen beside it. */
export type ServerProcess = ReturnType<typeof createServerProcess>

/** Starts, finds, watches and ends a task's `opencode serve`. tmux owns it; agentd may come and go. */
export function createServerProcess({ task, saved, tmux }: ServerProcessNeeds) {
  const logPath = join(task.dir, 'server.log')

  async function serverPane(): Promise<PaneState | undefined> {
    const panes = (await tmux.panes(task.tmuxSession)) ?? []
    return panes.find((pane) => pane.window === SERVER_WINDOW)
  }

  async function alive(): Promise<boolean> {
    return (await serverPane())?.dead === false
  }

  async function launch(): Promise<void> {
    const server = { port: await freePort(), password: randomBytes(24).toString('base64url') }
    // Written down first: whoever finds the process must be able to speak to it.
    saved.change({ server })
    await tmux.killSession(task.tmuxSession)
    const specPath = join(task.dir, 'server.pane.json')
    await writePaneSpec(specPath, {
      argv: ['opencode', 'serve', '--hostname', '127.0.0.1', '--port', String(server.port)],
      cwd: task.worktree,
      environment: serverEnvironment({
        environment: task.environment,
        password: server.password,
        model: task.model,
        agents: saved.get().agents,
      }),
    })
    const argv = paneCommand(specPath)
    const call = { session: task.tmuxSession, window: SERVER_WINDOW, cwd: task.worktree, argv, logPath }
    await tmux.newSession({ ...call, title: task.title })
  }

  /** Resolves when the server answers; `false` when its program ended instead. */
  async function ready(): Promise<boolean> {
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (Date.now() < deadline) {
      const pane = await serverPane()
      if (pane === undefined || pane.dead) return false
      // A request that comes before this line can be left unanswered for ever.
      const shown = await tmux.capture(pane.id, 200)
      if (/opencode server listening on/.test(shown) && (await answers())) return true
      await delay(POLL_MS)
    }
    throw startFailure(task, 'opencode serve did not become ready in a minute.', await tail())
  }

  async function answers(): Promise<boolean> {
    try {
      await api().health(PROBE_TIMEOUT_MS)
      return true
    } catch {
      return false
    }
  }

  function api(): OpencodeApi {
    const { server } = saved.get()
    if (server === undefined)
      throw startFailure(task, 'The opencode server of this task was never started.', '')
    return createOpencodeApi(server)
  }

  async function tail(): Promise<string> {
    const pane = await serverPane()
    const shown = pane === undefined ? '' : (await tmux.capture(pane.id, 60)).trim()
    return shown === '' ? readTail(logPath, TAIL_BYTES) : shown.slice(-TAIL_BYTES)
  }

  return {
    api,
    alive,
    tail,
    /** Brings the server up, or finds it up. Throws executor_failed with the end of its log. */
    async ensure(): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        if (saved.get().server === undefined || !(await alive())) await launch()
        if (await ready()) return
        const logTail = await tail()
        const portTaken = /ServeError|EADDRINUSE|Failed to start server/i.test(logTail)
        if (!portTaken || attempt === LAUNCH_ATTEMPTS)
          throw startFailure(task, 'opencode serve ended at once.', logTail)
      }
    },
    relaunch: launch,
    /** Opens the agent's own screen on a session, as the window that a person sees first. */
    async showAgent(sessionId: string): Promise<void> {
      const { server } = saved.get()
      const panes = (await tmux.panes(task.tmuxSession)) ?? []
      if (server === undefined || panes.some((pane) => pane.window === AGENT_WINDOW)) return
      const specPath = join(task.dir, 'agent.pane.json')
      const url = `http://127.0.0.1:${server.port}`
      await writePaneSpec(specPath, {
        argv: ['opencode', 'attach', url, '-s', sessionId, '--dir', task.worktree],
        cwd: task.worktree,
        environment: serverEnvironment({
          environment: task.environment,
          password: server.password,
          agents: saved.get().agents,
        }),
      })
      const argv = paneCommand(specPath)
      await tmux.addFirstWindow({ session: task.tmuxSession, window: AGENT_WINDOW, cwd: task.worktree, argv })
      await tmux.selectWindow(task.tmuxSession, AGENT_WINDOW)
    },
    /** Asks the server to end and waits a moment for it. Whatever survives is the caller's. */
    async terminate(): Promise<void> {
      const pane = await serverPane()
      if (pane === undefined || pane.dead) return
      signal(pane.pid)
      const deadline = Date.now() + 3_000
      while (Date.now() < deadline && (await alive())) await delay(POLL_MS)
    },
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    // It ended between the look and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
