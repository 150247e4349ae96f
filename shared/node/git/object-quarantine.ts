import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A place for new objects beside a repository's own: `env` makes git write there and read from both. */
export interface Quarantine {
  path: string
  env: { GIT_OBJECT_DIRECTORY: string; GIT_ALTERNATE_OBJECT_DIRECTORIES: string }
}

/**
 * Runs `use` with a quarantine of the repository whose shared git folder is `commonDir`, and removes what is left in it.
 * It lies on the same file system, so objects can be moved over by rename.
 */
export async function withQuarantine<T>(
  commonDir: string,
  use: (quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  const objects = join(commonDir, 'objects')
  // git's own name for a quarantine: `git prune` clears it away if this process dies.
  const path = await mkdtemp(join(objects, 'tmp_objdir-incoming-'))
  try {
    await mkdir(join(path, 'pack'))
    return await use({
      path,
      env: { GIT_OBJECT_DIRECTORY: path, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternate(objects) },
    })
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

function quoteAlternate(path: string): string {
  // The variable is a list split at `:`; git(1): an entry in double quotes is read with C-style escapes.
  if (!/[:"\n]/.test(path)) return path
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
