import { isOver } from '../../../shared/domain/task.ts'
import { AppError } from '../../../shared/errors.ts'
import type { HostService, TmuxScreen } from '../hosts/types.ts'
import { attachEnvironment } from './attach-environment.ts'

/** What terminals need of the hosts. */
export type TerminalHosts = Pick<HostService, 'attachArgv' | 'call' | 'get' | 'onChange'>

/** How a screen is reached; `nowhere` is final. */
export type Way =
  { kind: 'way'; argv: string[]; env: Record<string, string> } | { kind: 'nowhere'; error: AppError }

interface ScreenPlaceNeeds {
  hosts: TerminalHosts
  host: string
  taskId: string
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
])

/** Where the screen of a task is. What a host said once is kept: its tmux can be reached while its agentd is not. */
export function createScreenPlace({ hosts, host, taskId, environment }: ScreenPlaceNeeds) {
  let known: TmuxScreen | undefined

  const ask = () => hosts.call(host)('task.get', { task: taskId, historyLimit: 0 }, { timeoutMs: ASK_MS })

  function wayTo(tmux: TmuxScreen, readOnly: boolean): Way {
    try {
      // The folder is one of the host: only here does it say where the socket is.
      const socketDir = hosts.get(host)?.isLocal === true ? tmux.socketDir : undefined
      return {
        kind: 'way',
        argv: hosts.attachArgv(host, tmux, readOnly),
        env: attachEnvironment(environment, socketDir),
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
        known = tmux
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (FINAL.has(error.code)) return { kind: 'nowhere', error }
        if (known === undefined) throw error
      }
      return wayTo(known, readOnly)
    },
    /** Whether the task is over; undefined when the host cannot be asked. */
    async isTaskOver(): Promise<boolean | undefined> {
      try {
        return isOver((await ask()).task.state)
      } catch (error) {
        if (error instanceof AppError) return error.code === 'task_not_found' ? true : undefined
        throw error
      }
    },
  }
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
