import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { clientIdSchema } from '../../domain/actor.ts'
import { AppError } from '../../errors.ts'
import { readIfThere, writePrivateFile } from '../private-file.ts'

/**
 * The name under which hosts keep this user's place in the stream of events. `HANDOFF_CLIENT` overrides it (two sessions
 * that must each see everything use two names); else it is made once per home and kept in `<home>/client-id`.
 */
export function clientId(home: string, env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env['HANDOFF_CLIENT']
  if (chosen !== undefined && chosen !== '') {
    if (!clientIdSchema.safeParse(chosen).success)
      throw new AppError({
        code: 'usage',
        message: `HANDOFF_CLIENT is not a usable name: ${chosen}.`,
        hint: 'Use letters, digits, dots, dashes and underscores, at most 64, beginning with a letter or digit.',
      })
    return chosen
  }
  const path = join(home, 'client-id')
  return readId(path) ?? makeId(home, path, 'cli')
}

/** The name under which hosts keep the place of the desk of a home; made once and kept in `<home>/desk/client-id`. */
export function deskClientId(home: string): string {
  const folder = join(home, 'desk')
  const path = join(folder, 'client-id')
  return readId(path) ?? makeId(folder, path, 'desk')
}

function readId(path: string): string | undefined {
  const text = readIfThere(path)?.trim()
  return clientIdSchema.safeParse(text).success ? text : undefined
}

function makeId(home: string, path: string, kind: 'cli' | 'desk'): string {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const made = `${kind}-${randomBytes(6).toString('hex')}`
  const temporary = `${path}.${made}`
  writePrivateFile(temporary, `${made}\n`)
  try {
    // A link never replaces: of two first commands at once, both get the id of the one that came first.
    linkSync(temporary, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const there = readId(path)
    if (there !== undefined) return there
    writePrivateFile(path, `${made}\n`)
  } finally {
    rmSync(temporary, { force: true })
  }
  return made
}
