import fs from 'node:fs'
import path from 'node:path'
import { homePaths } from '../../shared/node/home.ts'
import { quoteArgument } from '../tasks/task-out.ts'

/**
 * This command line as it can be typed in another terminal: `handoff` where PATH leads to this one, otherwise with its whole path.
 * `distFolder` is where its bundle lies. A home that is not the usual one is named.
 */
export function ownCommand({
  distFolder,
  home,
  env,
}: {
  distFolder: string
  home: string
  env: Readonly<Record<string, string | undefined>>
}): string {
  const name = process.platform === 'win32' ? 'handoff.cmd' : 'handoff'
  const own = realPath(path.join(path.dirname(distFolder), 'bin', name))
  const found = (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => realPath(path.join(folder, name)))
    .find((one) => one !== undefined)
  const command = own === undefined || own === found ? 'handoff' : quoteArgument(own)
  const usual = homePaths({ ...env, HANDOFF_HOME: undefined }).root
  return home === usual ? command : `${command} --home ${quoteArgument(home)}`
}

/** Undefined where nothing can be reached. */
function realPath(file: string): string | undefined {
  return fs.existsSync(file) ? fs.realpathSync(file) : undefined
}
