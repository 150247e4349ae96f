import Database from 'better-sqlite3'
import { AppError } from '../../shared/errors.ts'

/** What a person can do something about, as an AppError; anything else is given back unchanged (a bug). */
export function readableError(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const known = describe(code, path)
  return known ? new AppError({ ...known, details: { sqlite: code } }, { cause: error }) : error
}

/** The same functions, but with errors that people can act on. */
export function withReadableErrors<T extends object>(calls: T, path: string): T {
  const wrapped = Object.entries(calls).map(([name, call]: [string, unknown]) => {
    if (typeof call !== 'function') return [name, call]
    return [
      name,
      (...args: unknown[]): unknown => {
        try {
          return Reflect.apply(call, calls, args)
        } catch (error) {
          throw readableError(error, path)
        }
      },
    ]
  })
  return Object.fromEntries(wrapped) as T
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof Database.SqliteError) return error.code
  // Creating the file fails in node, before SQLite sees it.
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return undefined
}

function describe(
  code: string,
  path: string,
): (Pick<AppError, 'code' | 'message'> & { hint: string }) | undefined {
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED')
    return {
      code: 'database_locked',
      message: `Another program holds the database ${path}.`,
      hint: 'Close the program that has it open (a database browser, a backup) and try again.',
    }
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE' || code === 'ENOSPC' || code === 'EDQUOT')
    return {
      code: 'disk_full',
      message: `There is no room left on the disk for ${path}; nothing that was saved before is lost.`,
      hint: 'Free some space and try again; `handoff gc` removes what ended tasks left behind.',
    }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return {
      code: 'database_unusable',
      message: `The database ${path} is damaged; the file was kept as it is.`,
      hint: 'Move it away (or restore a backup) and start again; worktrees and branches are not touched.',
    }
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR)|EACCES|EPERM|EROFS|EISDIR|ENOENT|ENOTDIR)/.test(code))
    return {
      code: 'database_unusable',
      message: `The database ${path} cannot be read and written (${code}).`,
      hint: 'Check that the folder exists, belongs to you, and is on a working disk.',
    }
  return undefined
}
