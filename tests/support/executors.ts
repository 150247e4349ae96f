import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', 'executors', 'node_modules')

/** A real agent program, or why there is none on this machine. */
export type AgentProgram = { path: string } | { absent: string }

/**
 * The native opencode that `npm test` installs from tests/executors. Its own file and not npm's launcher, so that a
 * signal reaches the program itself.
 */
export function opencodeBinary(): AgentProgram {
  const builds = [
    `opencode-${process.platform}-${process.arch}`,
    `opencode-${process.platform}-${process.arch}-baseline`,
  ]
  const found = builds.map((name) => join(FOLDER, name, 'bin', 'opencode')).find(existsSync)
  if (found !== undefined) return { path: found }
  return { absent: 'opencode is not installed: run `npm ci --prefix tests/executors`' }
}
