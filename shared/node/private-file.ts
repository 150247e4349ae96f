import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** Replaces a file in one step, readable by its owner only; its folder is made (0700) when missing. */
export function writePrivateFile(path: string, text: string, { mode = 0o600 }: { mode?: number } = {}): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = openSync(temporary, 'wx', mode)
  try {
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** As `writePrivateFile`, for what can be done without: a disk that is full or read-only costs only that. Says whether it was written. */
export function writeDispensable(path: string, text: string): boolean {
  try {
    writePrivateFile(path, text)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** The text of a file; undefined when it is not there. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Which file lies at a path now: another one after it was replaced; undefined when there is none. */
export function fileIdentity(path: string): string | undefined {
  const info = statSync(path, { throwIfNoEntry: false })
  return info === undefined ? undefined : `${info.dev}/${info.ino}`
}

/** The JSON of a file that can be done without: missing, unreadable or damaged, it counts as none. */
export function readDispensable<S extends z.ZodType>(path: string, schema: S): z.output<S> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
