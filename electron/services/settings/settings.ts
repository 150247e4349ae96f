import { renameSync } from 'node:fs'
import type { z } from 'zod'
import { AppError } from '../../../shared/errors.ts'
import { type Settings, settingsSchema } from '../../../shared/ipc/settings.ts'
import { readIfThere, writePrivateFile } from '../../../shared/node/private-file.ts'
import { createListeners } from '../../../shared/listeners.ts'
import { mergeKnown } from './merge.ts'
import type { SettingsService } from './types.ts'

/** What could not be read, and where it is kept now. */
export interface SettingsProblem {
  why: 'damaged' | 'unreadable'
  /** Where the damaged file was put; absent when it could not be moved. */
  keptAt?: string | undefined
  cause: unknown
}

/**
 * Settings in one file, 0600, replaced in one step. The file is read again before each change, so two desks at once lose
 * nothing but a field that both change. A damaged file is set aside as `<path>.damaged-<time>`, reported, and defaults are used.
 */
export function createSettingsService({
  path,
  now = Date.now,
  onProblem = () => undefined,
}: {
  path: string
  now?: () => number
  onProblem?: (problem: SettingsProblem) => void
}): SettingsService {
  const changed = createListeners<[settings: Settings]>()
  let current = load()

  function load(): Settings {
    let text: string | undefined
    try {
      text = readIfThere(path)
    } catch (cause) {
      onProblem({ why: 'unreadable', cause })
      return settingsSchema.parse({})
    }
    if (text === undefined) return settingsSchema.parse({})
    const parsed = parse(text)
    if (parsed.success) return parsed.data
    onProblem({ why: 'damaged', keptAt: setAside(path, now()), cause: parsed.error })
    return settingsSchema.parse({})
  }

  return {
    get: () => current,

    change(patch) {
      const base = load()
      const result = settingsSchema.safeParse(mergeKnown(base, patch))
      if (!result.success) throw invalid(result.error)
      write(path, result.data)
      current = result.data
      changed.tell(current)
      return current
    },

    onChange: changed.add,
  }
}

function parse(text: string): { success: true; data: Settings } | { success: false; error: unknown } {
  try {
    return settingsSchema.safeParse(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    if (error instanceof SyntaxError) return { success: false, error }
    throw error
  }
}

function setAside(path: string, at: number): string | undefined {
  const keptAt = `${path}.damaged-${new Date(at).toISOString().replace(/[:.]/g, '-')}`
  try {
    renameSync(path, keptAt)
    return keptAt
  } catch (error) {
    // Somebody else set it aside first, or the folder is read-only: then the next change replaces it.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function write(path: string, settings: Settings): void {
  try {
    writePrivateFile(path, `${JSON.stringify(settings, null, 2)}\n`)
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause)) throw cause
    if (cause.code !== 'ENOSPC' && cause.code !== 'EDQUOT') throw cause
    throw new AppError(
      {
        code: 'disk_full',
        message: 'The settings could not be kept: the disk is full.',
        hint: 'Make room, then try again.',
      },
      { cause },
    )
  }
}

function invalid(error: z.ZodError): AppError {
  const [issue] = error.issues
  return new AppError({
    code: 'bad_request',
    message: `The setting ${issue?.path.join('.') ?? ''} is not valid: ${issue?.message ?? ''}.`,
    hint: 'Choose a value from the offered ones.',
  })
}
