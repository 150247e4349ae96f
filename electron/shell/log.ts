import { createDeskLog, logStrayFailures, type DeskLogger } from '../services/desk/log.ts'

/** Where the shell writes what happened to it: fields first, then a fixed sentence. Never what a person typed or saw. */
export type ShellLog = Pick<DeskLogger, 'info' | 'warn' | 'error'>

/** The desk's log file for the shell, which writes before the services are open, and writes down failures that nobody caught. */
export function createShellLog(logsFolder: string): ShellLog {
  const log = createDeskLog(logsFolder)
  // The tray stays: what is left of the desk can still show what waits, and be quit in order.
  logStrayFailures(log, () => undefined)
  return log
}
