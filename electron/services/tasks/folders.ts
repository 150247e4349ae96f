import { existsSync, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput } from '../../../shared/ipc.ts'
import { localPath } from './local-path.ts'

const MAX_FOLDERS = 2_000

/** The folders below a path of this machine, hidden ones last. Throws `file_not_found`, `not_a_file` or `forbidden`. */
export async function listFolders(
  text: string,
  environment: NodeJS.ProcessEnv,
): Promise<IpcOutput<'folder.list'>> {
  const folder = localPath(text, environment)
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    throw cannotRead(folder, cause)
  })
  const names: string[] = []
  for (const entry of entries) if (await isFolder(folder, entry)) names.push(entry.name)
  const shown = names
    .filter((name) => name !== '.git' && name.length <= 255)
    .sort((a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || a.localeCompare(b))
    .slice(0, MAX_FOLDERS)
  const parent = path.dirname(folder)
  return {
    path: folder,
    ...(parent === folder ? {} : { parent }),
    // A worktree has a file called .git, so its mere existence counts.
    folders: shown.map((name) => ({ name, isRepository: existsSync(path.join(folder, name, '.git')) })),
  }
}

async function isFolder(parent: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  // A link that leads nowhere, or where nobody may look, is no folder to choose.
  const target = await stat(path.join(parent, entry.name)).catch(() => undefined)
  return target?.isDirectory() ?? false
}

function cannotRead(folder: string, cause: NodeJS.ErrnoException): unknown {
  const about = JSON.stringify(folder.slice(0, 300))
  switch (cause.code) {
    case 'ENOENT':
      return new AppError(
        { code: 'file_not_found', message: `There is no folder ${about}.`, hint: 'Choose another one.' },
        { cause },
      )
    case 'ENOTDIR':
      return new AppError(
        { code: 'not_a_file', message: `${about} is not a folder.`, hint: 'Choose a folder.' },
        { cause },
      )
    case 'EACCES':
    case 'EPERM':
      return new AppError(
        { code: 'forbidden', message: `You may not look into ${about}.`, hint: 'Choose another folder.' },
        { cause },
      )
    default:
      return cause
  }
}
