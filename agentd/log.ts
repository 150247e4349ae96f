import { pino, type Logger as PinoLogger } from 'pino'

/** Where agentd writes what it does: fields first, then a fixed sentence. */
export type Logger = Pick<PinoLogger, 'info' | 'warn' | 'error' | 'debug'>

/** The only place that makes a logger: JSON lines to a file (0600), with everything that could be a secret cut out. */
export function createLogger({ path, level = 'info' }: { path: string; level?: string }): PinoLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: [
          'token',
          'password',
          'authorization',
          'environment',
          '*.token',
          '*.password',
          '*.authorization',
          '*.environment',
        ],
        censor: '[secret]',
      },
    },
    pino.destination({ dest: path, mkdir: true, sync: true, mode: 0o600 }),
  )
}
