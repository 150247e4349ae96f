import { mkdir, writeFile } from 'node:fs/promises'
import type { ExecutorTask } from '../adapter.ts'
import { readTail } from '../file-tail.ts'
import { paneCommand, programFile } from '../pane-command.ts'
import { writePaneSpec } from '../pane-spec.ts'
import type { PaneState, Tmux } from '../tmux.ts'
import { demoFiles, type DemoConfig } from './protocol.ts'

const WINDOW = 'agent'
const TAIL_LINES = 60
const TAIL_MAX_CHARS = 8_000
/** Many of these run at once in tests. */
const NODE_FLAGS = [
  '--max-old-space-size=64',
  '--max-semi-space-size=1',
  '--disable-warning=ExperimentalWarning',
]

/** The demo's program in its tmux pane. */
export function createDemoPane({ tmux, task }: { tmux: Tmux; task: ExecutorTask }) {
  const files = demoFiles(task.dir)

  async function state(): Promise<PaneState | undefined> {
    const panes = await tmux.panes(task.tmuxSession)
    return panes?.find(({ window }) => window === WINDOW)
  }

  return {
    /** The pane as tmux knows it; `undefined` when it is gone with its session. */
    state,
    /** Starts the program in a new session; what is left of an earlier one is ended. */
    async launch(): Promise<void> {
      await tmux.killSession(task.tmuxSession)
      await mkdir(files.folder, { recursive: true, mode: 0o700 })
      const { taskId, title, worktree, branch, plan } = task
      const config: DemoConfig = { taskId, title, worktree, branch, plan, folder: files.folder }
      await writeFile(files.config, JSON.stringify(config), { mode: 0o600 })
      const program = programFile('demo-executor', 'demo/program')
      await writePaneSpec(files.paneSpec, {
        argv: [process.execPath, ...NODE_FLAGS, program, files.config],
        cwd: worktree,
        environment: task.environment,
      })
      await tmux.newSession({
        ...{ session: task.tmuxSession, window: WINDOW, cwd: worktree, title },
        argv: paneCommand(files.paneSpec),
      })
    },
    /** The end of what the pane shows, or of what the program wrote down when the pane is gone. */
    async logTail(): Promise<string> {
      const found = await state()
      const shown = found === undefined ? '' : await tmux.capture(found.id, TAIL_LINES)
      const told = shown.trim() === '' ? await readTail(files.transcript, TAIL_MAX_CHARS) : shown
      return told.slice(-TAIL_MAX_CHARS)
    },
  }
}

/** How the program ended, as a sentence. */
export function endMessage(pane: PaneState | undefined): string {
  if (pane === undefined) return 'The tmux session of the demo executor is gone.'
  if (pane.signal !== undefined) return `The demo executor was ended by signal ${pane.signal}.`
  return `The demo executor ended with exit code ${pane.status ?? 'unknown'}.`
}
