import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput } from '../../../shared/ipc.ts'
import { personHome } from './local-path.ts'

interface Needs {
  /** The command of this installation that the link leads to. */
  command: string
  environment: NodeJS.ProcessEnv
}

/** The command `handoff` on the person's PATH. */
export type PathCommand = ReturnType<typeof createPathCommand>

/**
 * Links `handoff` into a folder of the person's own: the first writable one of the PATH below their home, else
 * `~/.local/bin`. What is there and is not our link is never touched.
 */
export function createPathCommand({ command, environment }: Needs) {
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const home = personHome(environment)
  const usual = path.join(home, '.local', 'bin')

  function place(): string {
    const own = folders.filter((folder) => folder.startsWith(`${home}${path.sep}`) && isWritable(folder))
    const linked = [...own, usual].find((folder) => stateOf(path.join(folder, 'handoff'), command) === 'ours')
    // Folders of other tools (node_modules/.bin, version managers) come and go; one called bin of the home stays.
    const lasting = own.find((folder) => folder === usual || folder === path.join(home, 'bin'))
    return path.join(linked ?? lasting ?? usual, 'handoff')
  }

  return {
    status(): IpcOutput<'command.status'> {
      const at = place()
      return {
        installed: stateOf(at, command) === 'ours',
        path: at,
        onPath: folders.includes(path.dirname(at)),
      }
    },
    /** Throws `bad_request` when something else lies there, or where links are not used (Windows). */
    install(): IpcOutput<'command.install'> {
      const at = place()
      if (process.platform === 'win32')
        throw new AppError({
          code: 'bad_request',
          message: 'The command cannot be installed from here on Windows.',
          hint: `Add ${path.dirname(command)} to the PATH.`,
        })
      const state = stateOf(at, command)
      if (state === 'other') throw notOurs(at)
      mkdirSync(path.dirname(at), { recursive: true })
      rmSync(at, { force: true })
      symlinkSync(command, at)
      if (folders.includes(path.dirname(at))) return { path: at }
      return {
        path: at,
        hint: `Add ${path.dirname(at)} to your PATH: export PATH="${path.dirname(at)}:$PATH"`,
      }
    },
    /** Takes our link away; anything else stays. */
    remove(): void {
      const at = place()
      if (stateOf(at, command) === 'ours') rmSync(at, { force: true })
    },
  }
}

/** `ours`: a link to this installation, or to one that has moved away. */
function stateOf(at: string, command: string): 'none' | 'ours' | 'other' {
  const info = lstatSync(at, { throwIfNoEntry: false })
  if (info === undefined) return 'none'
  if (!info.isSymbolicLink()) return 'other'
  const target = path.resolve(path.dirname(at), readlinkSync(at))
  if (target === command) return 'ours'
  const dangling = statSync(at, { throwIfNoEntry: false }) === undefined
  return dangling && target.endsWith(`${path.sep}bin${path.sep}handoff`) ? 'ours' : 'other'
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function notOurs(at: string): AppError {
  return new AppError({
    code: 'bad_request',
    message: `${at} is there already and was not made by this installation.`,
    hint: 'Move it away, then install the command again.',
  })
}
