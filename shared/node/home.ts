import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { AppError } from '../errors.ts'

/** Longest path a Unix socket may have, with room to spare: 104 bytes on macOS, 108 on Linux, one for the end. */
const MAX_SOCKET_PATH_BYTES = 100

/** The home folder of one Handoff: everything agentd keeps is below `root`. */
export interface Home {
  root: string
  /** agentd's socket; below /tmp when the path inside the home would be too long for a socket. */
  socket: string
  database: string
  logs: string
  worktrees: string
  repos: string
  tasks: string
  env: string
  incoming: string
}

/** Names the paths of a home (`HANDOFF_HOME`, or `~/.handoff`) and creates nothing. */
export function homePaths(environment: NodeJS.ProcessEnv): Home {
  const chosen = environment['HANDOFF_HOME']
  const root = path.resolve(
    chosen === undefined || chosen === '' ? path.join(os.homedir(), '.handoff') : chosen,
  )
  const inside = (name: string) => path.join(root, name)
  return {
    root,
    socket: socketPath(root),
    database: inside('handoff.db'),
    logs: inside('logs'),
    worktrees: inside('worktrees'),
    repos: inside('repos'),
    tasks: inside('tasks'),
    env: inside('env'),
    incoming: inside('incoming'),
  }
}

/** Creates the home and its folders, each for this user only; throws `home_unsafe` when that cannot be had. */
export async function openHome(home: Home): Promise<void> {
  await privateFolder(home.root)
  for (const folder of [home.logs, home.worktrees, home.repos, home.tasks, home.env, home.incoming])
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  await privateFolder(path.dirname(home.socket))
}

/** Makes sure that a folder exists, belongs to this user and is 0700; otherwise throws `home_unsafe`. */
export async function privateFolder(folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    const what = cause.code === 'EEXIST' ? 'is not a folder' : `cannot be created (${cause.code})`
    throw unsafe(folder, what, 'Choose another folder with HANDOFF_HOME.', cause)
  })
  const uid = process.getuid?.()
  const link = await fs.lstat(folder)
  if (uid !== undefined && link.uid !== uid)
    throw unsafe(folder, 'belongs to another user', 'Choose another folder with HANDOFF_HOME.')
  const stat = await fs.stat(folder)
  if (!stat.isDirectory()) throw unsafe(folder, 'is not a folder', 'Move it away or set HANDOFF_HOME.')
  if (uid !== undefined && stat.uid !== uid)
    throw unsafe(folder, 'is a link to a folder of another user', 'Remove the link or set HANDOFF_HOME.')
  if ((stat.mode & 0o077) === 0) return
  await fs.chmod(folder, 0o700).catch((cause: unknown) => {
    throw unsafe(folder, 'can be read by others', `Run: chmod 700 ${folder}`, cause)
  })
  // Some file systems accept chmod and ignore it.
  if (((await fs.stat(folder)).mode & 0o077) !== 0)
    throw unsafe(folder, 'can be read by others', 'Put the home on a file system with permissions.')
}

function socketPath(root: string): string {
  const inside = path.join(root, 'agentd.sock')
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return inside
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  // Not the temp folder of TMPDIR: a service and a terminal may have been given different ones, and must meet here.
  return path.join('/tmp', `handoff-${process.getuid?.() ?? 0}-${hash}`, 'agentd.sock')
}

function unsafe(folder: string, what: string, hint: string, cause?: unknown): AppError {
  return new AppError(
    { code: 'home_unsafe', message: `${folder} ${what}.`, hint, details: { folder } },
    { cause },
  )
}
