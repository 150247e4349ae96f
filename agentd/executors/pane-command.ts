import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * File of a program that runs in a pane: `<bundle>.js` beside the running bundle, else the source `<source>.ts` below
 * this folder (Node runs it by stripping types).
 */
export function programFile(bundle: string, source: string): string {
  const bundled = join(import.meta.dirname, `${bundle}.js`)
  return existsSync(bundled) ? bundled : join(import.meta.dirname, `${source}.ts`)
}

/** Words that make tmux start what the specification at `specPath` says. */
export function paneCommand(specPath: string): [string, string, string] {
  return [process.execPath, programFile('pane', 'pane'), specPath]
}
