import { isOver, type Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { isTmuxAtLeast, SHELL_SERVER } from '../../shared/node/hosts/attach-argv.ts'
import type { TaskWindow } from '../../shared/protocol/window-calls.ts'
import type { Shells, ShellState } from '../executors/shells.ts'
import type { Tmux, WindowState } from '../executors/tmux.ts'
import type { SomeHandlers } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'
import { recordAct } from '../tasks/audit.ts'
import { resolveTask } from '../tasks/resolve.ts'
import { tmuxSession } from '../tasks/workspace.ts'

interface Needs {
  store: Store
  now: () => number
  tmux: Pick<Tmux, 'windows'>
  shells: Shells
  tmuxVersion(): Promise<string | undefined>
}

const MAX_WINDOWS = 50
/** Exact names (`=`), sessions that share their windows, and a hook that hears of another window are there since. */
const ABLE = [3, 0] as const

/** Calls about the windows of a task in tmux. */
export function createWindowHandlers({
  store,
  now,
  tmux,
  shells,
  tmuxVersion,
}: Needs): SomeHandlers<'task.windows' | 'task.openShell' | 'task.closeShell'> {
  return {
    'task.windows': async ({ task: ref }) => {
      const session = tmuxSession(resolveTask(store, ref).id)
      if (!isTmuxAtLeast(await tmuxVersion(), ...ABLE)) return { windows: [] }
      const [windows, open] = await Promise.all([tmux.windows(session), shells.list(session)])
      const ofTask = windows.slice(0, MAX_WINDOWS).map((window) => windowOf(session, window))
      return { windows: [...ofTask, ...open.map(shellWindow)] }
    },
    'task.openShell': async ({ requestId, task: ref }, { actor }) => {
      const task = resolveTask(store, ref)
      if (isOver(task.state)) throw over()
      store.transaction(() =>
        recordAct(
          { store, now },
          { decision: 'run', by: actor, text: 'a shell in the worktree', taskId: task.id },
        ),
      )
      const shell = await shells.open({ taskSession: tmuxSession(task.id), cwd: task.worktree, requestId })
      // It may have ended while tmux was busy, and what cleans up after it may have looked before the shell was there.
      if (isOverNow(store, task)) {
        await shells.closeAll(tmuxSession(task.id))
        throw over()
      }
      return { window: shellWindow(shell) }
    },
    'task.closeShell': ({ task: ref, key, force }) =>
      shells.close({ taskSession: tmuxSession(resolveTask(store, ref).id), key, force }),
  }
}

function isOverNow(store: Store, task: Task): boolean {
  return isOver(resolveTask(store, task.id).state)
}

function windowOf(session: string, { id, name, mark, dead }: WindowState): TaskWindow {
  return {
    // A program that is started anew has another window with the same mark.
    key: mark === '' ? id : mark,
    kind: mark === '' ? 'other' : mark === 'agent' ? 'agent' : 'log',
    name: name.slice(0, 200),
    ended: dead,
    target: { session, window: id },
  }
}

function shellWindow({ key, session, number }: ShellState): TaskWindow {
  return {
    key,
    kind: 'shell',
    name: String(number),
    ended: false,
    target: { server: SHELL_SERVER, session },
  }
}

function over(): AppError {
  return new AppError({
    code: 'task_over',
    message: 'The task is over; no shell is opened for it any more.',
    hint: 'Open one in its worktree by hand, if that was kept.',
  })
}
