import { chmodSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { pino, type Logger as PinoLogger } from 'pino'

/** Where the desk writes what it does: fields first, then a fixed sentence. */
export type DeskLogger = Pick<PinoLogger, 'info' | 'warn' | 'error' | 'debug'>

const ROTATE_BYTES = 5 * 1024 * 1024
/** What a full disk does not take is kept up to here; more is dropped. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * The only place that makes loggers of the desk, for its services and its shell: JSON lines in `<logs>/desk.log` (0600), with everything that could be a
 * secret cut out. A file that has grown beyond 5 MiB becomes `desk.log.1` at the start.
 */
export function createDeskLog(logs: string): { log: DeskLogger; flush(): void } {
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const file = path.join(logs, 'desk.log')
  const info = statSync(file, { throwIfNoEntry: false })
  if (info !== undefined && info.size > ROTATE_BYTES) renameSync(file, `${file}.1`)
  else if (info !== undefined && (info.mode & 0o077) !== 0) chmodSync(file, 0o600)
  const secret = ['token', 'password', 'authorization', 'environment', 'secret', 'seenText', 'data', 'chunk']
  const destination = pino.destination({
    dest: file,
    sync: true,
    mode: 0o600,
    maxLength: MAX_WAITING_BYTES,
  })
  // A full disk costs the log and not the desk; there is no place where it could be said.
  let isFailing = false
  destination.on('error', () => (isFailing = true))
  const log = pino(
    {
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    destination,
  )
  // Every line is written at once; flushSync would try a full disk again for ever.
  return { log, flush: () => void (isFailing || destination.flushSync()) }
}
