import { closeSync, globSync, openSync, readSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Larger configurations are read up to here. */
const MAX_FILE_BYTES = 256 * 1024
const MAX_INCLUDED_FILES = 50
const MAX_NAMES = 500
/** What `host.add` can take as `ssh://name`; others are of no use as a suggestion. */
const USABLE = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$/

/**
 * The names of `Host` lines of an ssh configuration (~/.ssh/config unless told), in their order, without patterns.
 * `Include` is followed one level deep (ssh_config(5)); what cannot be read is left out.
 */
export function sshNames(file = path.join(os.homedir(), '.ssh', 'config')): string[] {
  const names = new Set<string>()
  let included = 0
  const read = (one: string, depth: number): void => {
    for (const { keyword, values } of directives(readStart(one))) {
      if (keyword === 'host') for (const value of values) if (isName(value)) names.add(value)
      if (keyword !== 'include' || depth > 0) continue
      for (const found of values.flatMap((pattern) => filesOf(pattern, path.dirname(file)))) {
        included += 1
        if (included <= MAX_INCLUDED_FILES) read(found, depth + 1)
      }
    }
  }
  read(file, 0)
  return [...names].slice(0, MAX_NAMES)
}

const isName = (value: string): boolean => !/[*?!]/.test(value) && USABLE.test(value)

interface Directive {
  keyword: string
  values: string[]
}

/** Lines as ssh reads them: `Keyword value …` or `Keyword=value`, values may be in double quotes. */
function directives(text: string): Directive[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line)
    if (match === null) return []
    const [, keyword = '', rest = ''] = match
    return [{ keyword: keyword.toLowerCase(), values: valuesOf(rest) }]
  })
}

function valuesOf(rest: string): string[] {
  const values: string[] = []
  for (const [, quoted, plain] of rest.matchAll(/"([^"]*)"|(\S+)/g)) {
    if (plain?.startsWith('#') === true) break
    values.push(quoted ?? plain ?? '')
  }
  return values
}

/** Include paths are relative to ~/.ssh, may begin with `~/` and may hold wildcards. */
function filesOf(pattern: string, folder: string): string[] {
  const full = pattern.startsWith('~/')
    ? path.join(os.homedir(), pattern.slice(2))
    : path.resolve(folder, pattern)
  try {
    return globSync(full).sort().slice(0, MAX_INCLUDED_FILES)
  } catch {
    // A folder that may not be listed has no names for us.
    return []
  }
}

function readStart(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // Most people have none; whoever may not read theirs cannot use ssh either.
    return ''
  }
  try {
    const buffer = Buffer.alloc(MAX_FILE_BYTES)
    return buffer.subarray(0, readSync(descriptor, buffer, 0, MAX_FILE_BYTES, 0)).toString('utf8')
  } catch {
    // A folder can be opened and not read.
    return ''
  } finally {
    closeSync(descriptor)
  }
}
