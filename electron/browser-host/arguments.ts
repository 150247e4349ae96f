import { parseArgs } from 'node:util'
import { AppError } from '../../shared/errors.ts'

/** What the browser shell was told on its command line. */
export interface Arguments {
  home: string | undefined
  /** Wanted exactly; undefined takes the last one again or any. */
  port: number | undefined
}

/** Reads `browser-host.js [--home FOLDER] [--port N]`; throws `usage`. */
export function readArguments(argv: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { home: { type: 'string' }, port: { type: 'string' } },
    })
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
      throw new Error('not a port')
    return { home: values.home, port }
  } catch (cause) {
    throw new AppError(
      {
        code: 'usage',
        message: 'usage: browser-host [--home FOLDER] [--port NUMBER]',
        hint: 'A port is a number from 0 to 65535; 0 takes one that is free.',
      },
      { cause },
    )
  }
}
