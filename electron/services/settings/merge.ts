import { AppError } from '../../../shared/errors.ts'

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_DEPTH = 8

type Json = Record<string, unknown>

/**
 * `base` with the fields of `patch` in it. Objects are merged, everything else (lists too) is replaced, and what `base` does not
 * have is dropped. Throws `bad_request` for a patch that reaches for prototypes or is nested deeper than settings are.
 */
export function mergeKnown(base: Json, patch: Json): Json {
  refuseTricks(patch, 0)
  return merge(base, patch)
}

function merge(base: Json, patch: Json): Json {
  return Object.fromEntries(
    Object.entries(base).map(([name, value]) => {
      if (!Object.hasOwn(patch, name) || patch[name] === undefined) return [name, value]
      const change = patch[name]
      return [name, isObject(value) && isObject(change) ? merge(value, change) : change]
    }),
  )
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuseTricks(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw badPatch('is nested too deep')
  for (const name of Object.getOwnPropertyNames(value)) {
    if (FORBIDDEN.has(name)) throw badPatch(`names ${name}`)
    refuseTricks(Object.getOwnPropertyDescriptor(value, name)?.value, depth + 1)
  }
}

function badPatch(what: string): AppError {
  return new AppError({
    code: 'bad_request',
    message: `The change of settings ${what}.`,
    hint: 'Change only settings that exist.',
  })
}
