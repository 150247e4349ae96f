import { createStyle, type Style } from './style.ts'
import { createProgress, type Progress } from './progress.ts'

/** A stream that may be a terminal. */
export type OutStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** The only place that writes to the person or the calling program. */
export interface Output {
  readonly style: Style
  /** Colours for stderr, which may be a terminal when stdout is not. */
  readonly errorStyle: Style
  readonly json: boolean
  readonly isTerminal: boolean
  readonly errorIsTerminal: boolean
  /** Width to lay out for; 80 when unknown, at most 200. */
  readonly columns: number
  /** Writes bytes or text to stdout and resolves when the system has taken them; rejects with EPIPE when nobody reads. */
  write(data: string | Uint8Array): Promise<void>
  /** A line on stdout. */
  line(text?: string): Promise<void>
  /** One JSON line on stdout. */
  jsonLine(value: unknown): Promise<void>
  /** Raw bytes on stderr. */
  writeError(data: string | Uint8Array): Promise<void>
  /** A line on stderr: notes, warnings, progress that stays. */
  note(text: string): void
  progress(text: string): Progress
}

/** Writes to `stdout` and `stderr`; after a broken pipe every further write rejects with the same error. */
export function createOutput({
  stdout,
  stderr,
  json,
  noColor,
  env,
}: {
  stdout: OutStream
  stderr: OutStream
  json: boolean
  noColor: boolean
  env: Readonly<Record<string, string | undefined>>
}): Output {
  const isTerminal = stdout.isTTY === true
  const errorIsTerminal = stderr.isTTY === true
  const errorStyle = createStyle({ isTerminal: errorIsTerminal, env, noColor })
  // Without a listener a broken pipe would end the process with a stack; the write's callback reports it.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  const columns = () => stdout.columns ?? stderr.columns ?? (Number(env['COLUMNS']) || 80)
  return {
    style: createStyle({ isTerminal, env, noColor }),
    errorStyle,
    json,
    isTerminal,
    errorIsTerminal,
    get columns() {
      return Math.min(200, Math.max(40, columns()))
    },
    write: (data) => writeTo(stdout, data),
    line: (text = '') => writeTo(stdout, `${text}\n`),
    jsonLine: (value) => writeTo(stdout, `${JSON.stringify(value)}\n`),
    writeError: (data) => writeTo(stderr, data),
    note(text) {
      stderr.write(`${text}\n`)
    },
    progress: (text) => createProgress({ stderr, isTerminal: errorIsTerminal, text, style: errorStyle }),
  }
}

function writeTo(stream: OutStream, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => (error ? reject(error) : resolve()))
  })
}

/** Whether an error says that the reader of our output has gone. */
export function isBrokenPipe(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}
