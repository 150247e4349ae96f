import type { SomeIpcHandlers } from '../../../shared/ipc.ts'
import type { terminalCalls } from '../../../shared/ipc/terminal-calls.ts'
import type { CallServices } from './services.ts'

/** Calls about terminals. */
export function createTerminalHandlers({
  terminals,
}: Pick<CallServices, 'terminals'>): SomeIpcHandlers<keyof typeof terminalCalls> {
  return {
    'terminal.open': async (input, { windowId }) => ({
      terminalId: await terminals.open({ ...input, windowId }),
    }),
    'terminal.write': ({ terminalId, data }) => {
      terminals.write(terminalId, data)
      return {}
    },
    'terminal.resize': ({ terminalId, cols, rows }) => {
      terminals.resize(terminalId, cols, rows)
      return {}
    },
    'terminal.ack': ({ terminalId, chars }) => {
      terminals.ack(terminalId, chars)
      return {}
    },
    'terminal.control': ({ terminalId, take }) => {
      terminals.control(terminalId, take)
      return {}
    },
    'terminal.retry': ({ terminalId }) => {
      terminals.retry(terminalId)
      return {}
    },
    'terminal.close': ({ terminalId }) => {
      terminals.close(terminalId)
      return {}
    },
  }
}
