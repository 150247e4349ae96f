// What a tmux pane starts: reads a specification, deletes it and becomes that program. It starts often: Node's own imports only.
import { constants, accessSync, readFileSync, rmSync, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { OLDEST_NODE } from '../../shared/domain/fit-node.ts'
import { processEnvironment } from '../../shared/node/process-environment.ts'

interface Spec {
  argv: string[]
  cwd: string
  environment: Record<string, string>
}

function readSpec(path: string): Spec {
  const text = readFileSync(path, 'utf8')
  rmSync(path, { force: true })
  return JSON.parse(text) as Spec
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function findProgram({ argv, cwd, environment }: Spec): string | undefined {
  const name = argv[0] ?? ''
  if (name.includes('/')) return isProgram(resolve(cwd, name)) ? resolve(cwd, name) : undefined
  const folders = (environment['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => resolve(cwd, folder, name)).find(isProgram)
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(127)
}

function main(): void {
  const specPath = process.argv[2]
  if (specPath === undefined) fail('pane: the specification file is missing.')
  const spec = readSpec(specPath)
  try {
    process.chdir(spec.cwd)
  } catch {
    fail(`The folder ${spec.cwd} cannot be entered.`)
  }
  const file = findProgram(spec)
  if (file === undefined)
    fail(`The program ${spec.argv[0] ?? ''} was not found in PATH: ${spec.environment['PATH'] ?? ''}`)
  if (process.execve === undefined) fail(`This Node is too old: ${OLDEST_NODE} or newer is needed.`)
  // Node ignores these two, and an ignored signal stays ignored in the program; one with a handler is reset by execve.
  for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) process.on(signal, () => undefined)
  // tmux, not the caller, knows what its terminal can do.
  const terminal = processEnvironment()['TERM'] ?? 'screen'
  process.execve(file, spec.argv, { ...spec.environment, PWD: spec.cwd, TERM: terminal })
}

main()
