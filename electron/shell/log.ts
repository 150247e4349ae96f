import { createDeskLog, type DeskLogger } from '../services/desk/log.ts'

/** Where the shell writes what happened to it: fields first, then a fixed sentence. Never what a person typed or saw. */
export type ShellLog = Pick<DeskLogger, 'info' | 'warn' | 'error'>

/** The desk's log file for the shell, which writes before the services are open. */
export function createShellLog(logsFolder: string): ShellLog {
  return createDeskLog(logsFolder).log
}
