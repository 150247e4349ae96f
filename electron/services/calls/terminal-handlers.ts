import type { IpcCaller, SomeIpcHandlers } from '../../../shared/ipc.ts'
import type { terminalCalls } from '../../../shared/ipc/terminal-calls.ts'
import { noTerminal } from '../terminals/terminal-service.ts'
import { inJob } from './in-job.ts'
import type { CallServices } from './services.ts'

/** Calls about terminals. What concerns one is done only for the window that opened it; for others there is no such terminal. */
export function createTerminalHandlers({
  terminals,
  windows,
  jobs,
}: Pick<CallServices, 'terminals' | 'windows' | 'jobs'>): SomeIpcHandlers<keyof typeof terminalCalls> {
  /** A handler for the owner's calls. One that nobody has any more is for the service to answer. */
  function ofOwner<I extends { terminalId: string }>(work: (input: I) => void) {
    return (input: I, { windowId }: IpcCaller) => {
      const owner = terminals.windowOf(input.terminalId)
      if (owner !== undefined && owner !== windowId) throw noTerminal()
      work(input)
      return {}
    }
  }

  return {
    'terminal.open': async (input, { windowId }) => ({
      terminalId: await terminals.open({ ...input, windowId }),
    }),
    'terminal.write': ofOwner(({ terminalId, data }) => terminals.write(terminalId, data)),
    'terminal.resize': ofOwner(({ terminalId, cols, rows }) => terminals.resize(terminalId, cols, rows)),
    'terminal.ack': ofOwner(({ terminalId, chars }) => terminals.ack(terminalId, chars)),
    'terminal.control': ofOwner(({ terminalId, take }) => terminals.control(terminalId, take)),
    'terminal.retry': ofOwner(({ terminalId }) => terminals.retry(terminalId)),
    'terminal.close': ofOwner(({ terminalId }) => terminals.close(terminalId)),
    'terminal.windows': (at) => windows.list(at),
    'terminal.openShell': (at) => inJob(jobs, at.jobId, (signal) => windows.openShell(at, signal)),
    'terminal.closeShell': (at) => inJob(jobs, at.jobId, (signal) => windows.closeShell(at, signal)),
  }
}
