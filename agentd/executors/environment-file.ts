import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { parseEnvironment } from './environment-syntax.ts'

type Variables = Readonly<Record<string, string>>

const MAX_BYTES = 64 * 1024

/**
 * Reads `<home>/env/all.env`, then `<home>/env/<executor>.env`; later values win. Files that are not there are fine,
 * except those in `required` (a file that was named explicitly). Throws AppError `environment_file` with path and line,
 * never with a value.
 */
export async function readEnvironmentFiles(call: {
  home: string
  executor: string
  base: Variables
  required?: readonly string[]
}): Promise<Record<string, string>> {
  const { home, executor, base, required = [] } = call
  const usual = ['all.env', `${executor}.env`].map((name) => join(home, 'env', name))
  let values: Record<string, string> = {}
  for (const path of [...new Set([...usual, ...required])]) {
    const text = await readPrivateFile(path, { mayBeMissing: !required.includes(path) })
    if (text === undefined) continue
    values = { ...values, ...parseEnvironment({ text, path, base: { ...base, ...values } }) }
  }
  return values
}

async function readPrivateFile(
  path: string,
  { mayBeMissing }: { mayBeMissing: boolean },
): Promise<string | undefined> {
  let file
  try {
    // Without O_NONBLOCK opening a pipe would wait for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && mayBeMissing) return undefined
    throw unreadable(path, error as NodeJS.ErrnoException)
  }
  try {
    const info = await file.stat()
    if (!info.isFile()) throw refusal(path, 'is not a regular file', 'Put a plain text file there.')
    if (info.uid !== process.getuid?.())
      throw refusal(path, 'belongs to another user', `Run: chown "$USER" '${path}'`)
    if ((info.mode & 0o077) !== 0)
      throw refusal(path, 'can be read or changed by others', `Run: chmod 600 '${path}'`)
    if (info.size > MAX_BYTES) throw refusal(path, 'is larger than 64 KiB', 'Keep only variables in it.')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function unreadable(path: string, error: NodeJS.ErrnoException): AppError {
  return new AppError(
    {
      code: 'environment_file',
      message:
        error.code === 'ENOENT'
          ? `The environment file ${path} is missing.`
          : `The environment file ${path} cannot be read (${error.code ?? 'unknown error'}).`,
      hint: 'Create it (mode 600), or do not name it.',
      details: { path },
    },
    { cause: error },
  )
}

function refusal(path: string, what: string, hint: string): AppError {
  return new AppError({
    code: 'environment_file',
    message: `The environment file ${path} ${what}.`,
    hint,
    details: { path },
  })
}
