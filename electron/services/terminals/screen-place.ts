import { randomBytes } from 'node:crypto'
import { isOver } from '../../../shared/domain/task.ts'
import { AppError } from '../../../shared/errors.ts'
import type { TaskWindow } from '../../../shared/protocol/window-calls.ts'
import type { AttachScreen, HostService, TmuxScreen } from '../hosts/types.ts'
import { attachEnvironment } from './attach-environment.ts'

/** What terminals need of the hosts. */
export type TerminalHosts = Pick<HostService, 'attachArgv' | 'call' | 'get' | 'onChange'>

/** How a screen is reached; `nowhere` is final. `isOwn`: a shell of the person, which nobody need take the keyboard of. */
export type Way =
  | { kind: 'way'; argv: string[]; env: Record<string, string>; isOwn: boolean }
  | { kind: 'nowhere'; error: AppError }

interface ScreenPlaceNeeds {
  hosts: TerminalHosts
  host: string
  taskId: string
  /** Key of one of the task's windows; what its session shows without it. */
  window?: string | undefined
  environment: NodeJS.ProcessEnv
}

const ASK_MS = 10_000
/** Asking again would bring the same answer. */
const FINAL: ReadonlySet<string> = new Set([
  'task_not_found',
  'host_unknown',
  'unauthorized',
  'forbidden',
  'bad_request',
  'unknown_call',
])

interface Known {
  tmux: TmuxScreen
  window: TaskWindow | undefined
}

/** Where the screen of a task is. What a host said once is kept: its tmux can be reached while its agentd is not. */
export function createScreenPlace({ hosts, host, taskId, window: key, environment }: ScreenPlaceNeeds) {
  let known: Known | undefined

  const ask = () => hosts.call(host)('task.get', { task: taskId, historyLimit: 0 }, { timeoutMs: ASK_MS })

  /** Undefined when it is closed. */
  async function askWindow(): Promise<TaskWindow | undefined> {
    const { windows } = await hosts.call(host)('task.windows', { task: taskId }, { timeoutMs: ASK_MS })
    return windows.find((one) => one.key === key)
  }

  function wayTo({ tmux, window }: Known, readOnly: boolean): Way {
    const isOwn = window?.kind === 'shell'
    try {
      // The folder is one of the host: only here does it say where the socket is.
      const socketDir = hosts.get(host)?.isLocal === true ? tmux.socketDir : undefined
      return {
        kind: 'way',
        argv: hosts.attachArgv(host, screenOf(tmux, window), readOnly && !isOwn),
        env: attachEnvironment(environment, socketDir),
        isOwn,
      }
    } catch (error) {
      if (error instanceof AppError) return { kind: 'nowhere', error }
      throw error
    }
  }

  return {
    /** The way to the screen; rejects with an AppError when the host cannot be asked. */
    async find(readOnly: boolean): Promise<Way> {
      try {
        const { task, tmux } = await ask()
        if (tmux === undefined && isOver(task.state)) return { kind: 'nowhere', error: over() }
        if (tmux === undefined) throw notYet()
        const window = key === undefined ? undefined : await askWindow()
        if (key !== undefined && window === undefined) return { kind: 'nowhere', error: windowGone() }
        known = { tmux, window }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (FINAL.has(error.code)) return { kind: 'nowhere', error }
        if (known === undefined) throw error
      }
      return wayTo(known, readOnly)
    },
    /** Whether the task is over, or the window closed; undefined when the host cannot be asked. */
    async isOver(): Promise<boolean | undefined> {
      try {
        if (isOver((await ask()).task.state)) return true
        return key !== undefined && (await askWindow()) === undefined
      } catch (error) {
        if (error instanceof AppError) return error.code === 'task_not_found' ? true : undefined
        throw error
      }
    },
  }
}

function screenOf(tmux: TmuxScreen, window: TaskWindow | undefined): AttachScreen {
  if (window === undefined) return tmux
  const { server, session, window: id } = window.target
  const view = id === undefined ? undefined : { window: id, name: `desk-${randomBytes(6).toString('hex')}` }
  return { ...tmux, session, server, view }
}

function windowGone(): AppError {
  return new AppError({ code: 'executor_gone', message: 'This window of the task is closed.' })
}

function over(): AppError {
  return new AppError({
    code: 'task_over',
    message: 'The task is over and its screen is gone.',
    hint: 'What it did is in its timeline and its changes.',
  })
}

function notYet(): AppError {
  return new AppError({
    code: 'executor_gone',
    message: 'The agent has no screen yet.',
    hint: 'It appears by itself when the agent starts.',
  })
}
