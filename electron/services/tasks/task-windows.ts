import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { HostService } from '../hosts/types.ts'
import { callAgain, newRequestId } from './ask-host.ts'

/** The windows of tasks in tmux, and people's shells beside them. */
export type TaskWindows = ReturnType<typeof createTaskWindows>

const NONE: IpcOutput<'terminal.windows'> = { windows: [], canOpenShell: false }
/** Why a host cannot tell: it is older, knows less of this desk than of others, or there is no tmux. */
const UNABLE: ReadonlySet<string> = new Set(['unknown_call', 'forbidden', 'tmux_missing'])

/** Asks hosts for the windows of a task, and opens and closes shells there. */
export function createTaskWindows({ hosts }: { hosts: HostService }) {
  /** Over ws:// nothing reaches a screen. */
  const hasScreens = (host: string) => !/^wss?:/.test(hosts.get(host)?.address ?? '')

  return {
    /** Nothing for a host that cannot tell of any: its terminal is one, as it was before there were tabs. */
    async list({ host, taskId }: IpcParsed<'terminal.windows'>): Promise<IpcOutput<'terminal.windows'>> {
      if (!hasScreens(host)) return NONE
      try {
        const { windows } = await callAgain({ hosts, host, name: 'task.windows', input: { task: taskId } })
        return { windows, canOpenShell: windows.length > 0 }
      } catch (error) {
        if (error instanceof AppError && UNABLE.has(error.code)) return NONE
        throw error
      }
    },
    async openShell(
      { host, taskId }: IpcParsed<'terminal.openShell'>,
      signal: AbortSignal | undefined,
    ): Promise<IpcOutput<'terminal.openShell'>> {
      const input = { requestId: newRequestId(), task: taskId }
      const { window } = await callAgain({ hosts, host, name: 'task.openShell', input, signal })
      return { window: window.key }
    },
    closeShell(
      { host, taskId, window, force }: IpcParsed<'terminal.closeShell'>,
      signal: AbortSignal | undefined,
    ): Promise<IpcOutput<'terminal.closeShell'>> {
      return callAgain({
        hosts,
        host,
        name: 'task.closeShell',
        input: { task: taskId, key: window, force },
        signal,
      })
    },
  }
}
