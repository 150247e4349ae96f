import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { pino, type Logger as PinoLogger } from 'pino'
import { createLogFile } from './log-file.ts'

/** Where the desk writes what it does: fields first, then a fixed sentence. */
export type DeskLogger = Pick<PinoLogger, 'info' | 'warn' | 'error' | 'debug'>

const MAX_BYTES = 5 * 1024 * 1024
const KEPT_FILES = 3

/**
 * The only place that makes loggers of the desk, for its services and its shell: JSON lines in `<logs>/desk.log` (0600), with everything that could be a
 * secret cut out. A file of 5 MiB becomes `desk.log.1`; three older ones are kept. Every line is written at once.
 */
export function createDeskLog(logs: string, { maxBytes = MAX_BYTES } = {}): DeskLogger {
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const secret = ['token', 'password', 'authorization', 'environment', 'secret', 'seenText', 'data', 'chunk']
  return pino(
    {
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    createLogFile({ path: path.join(logs, 'desk.log'), maxBytes, keep: KEPT_FILES }),
  )
}

/**
 * Writes down failures that nobody waited for. The program goes on after a promise that was refused, as agentd does; what was thrown
 * where nobody could catch it may have left anything half done, and `onFatal` decides.
 */
export function logStrayFailures(log: Pick<DeskLogger, 'error'>, onFatal: () => void): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody waited for'))
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'a failure that nobody caught')
    onFatal()
  })
}
