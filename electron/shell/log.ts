import { mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { pino, type Logger } from 'pino'

/** Where the shell writes what happened to it: fields first, then a fixed sentence. Never what a person typed or saw. */
export type ShellLog = Pick<Logger, 'info' | 'warn' | 'error'>

const MAX_BYTES = 5 * 1024 * 1024
/** What a full disk does not take is kept up to here; more is dropped. */
const MAX_WAITING_BYTES = 1024 * 1024

/** JSON lines in `<logs>/desk.log` (0600); a file above 5 MB becomes `desk.log.1` at the next start. */
export function createShellLog(logsFolder: string): ShellLog {
  const file = path.join(logsFolder, 'desk.log')
  mkdirSync(logsFolder, { recursive: true, mode: 0o700 })
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_BYTES) renameSync(file, `${file}.1`)
  const destination = pino.destination({
    dest: file,
    mkdir: true,
    sync: true,
    mode: 0o600,
    maxLength: MAX_WAITING_BYTES,
  })
  // A full disk costs the log and not the app; there is no place where it could be said.
  destination.on('error', () => undefined)
  return pino({ base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }, destination)
}
