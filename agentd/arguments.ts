import { parseArgs } from 'node:util'
import { AppError } from '../shared/errors.ts'

/** What `agentd run` was told on its command line; `undefined` leaves it to the environment or the configuration. */
export interface Arguments {
  home: string | undefined
  listen: string | undefined
  yesPublic: boolean
}

/** Reads `agentd run [--home H] [--listen host:port] [--yes-public]`; throws `usage`. */
export function readArguments(argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        home: { type: 'string' },
        listen: { type: 'string' },
        'yes-public': { type: 'boolean', default: false },
      },
    })
    if (positionals.length > 1 || (positionals[0] !== undefined && positionals[0] !== 'run'))
      throw new Error('unknown command')
    return { home: values.home, listen: values.listen, yesPublic: values['yes-public'] }
  } catch (cause) {
    throw new AppError(
      {
        code: 'usage',
        message: 'usage: agentd run [--home FOLDER] [--listen HOST:PORT] [--yes-public]',
      },
      { cause },
    )
  }
}
