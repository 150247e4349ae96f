import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** What became of a command. `pretended`: it is not one of the harmless ones, so nothing was run. */
export type CommandResult =
  { kind: 'ran'; exitCode: number; output: string } | { kind: 'pretended'; output: string }

interface CommandCall {
  command: string
  worktree: string
  scratch: string
  signal: AbortSignal
}

const OUTPUT_MAX_BYTES = 1024 * 1024
const TIME_LIMIT_MS = 60_000
const PLAIN = new Set([
  'ls',
  'cat',
  'echo',
  'pwd',
  'true',
  'false',
  'sleep',
  'wc',
  'date',
  'touch',
  'printenv',
])
const GIT_READING = new Set(['status', 'log', 'diff', 'show', 'rev-parse', 'branch'])
const SHELL_SIGNS = /[;&|<>$`*?(){}[\]~\n\\]/

/**
 * Runs what cannot do harm, without a shell; of everything else it only says that it would have run it. A person may
 * approve `git push --force` in a demo and nothing leaves the machine.
 */
export async function runDemoCommand(call: CommandCall): Promise<CommandResult> {
  const words = SHELL_SIGNS.test(call.command) ? undefined : splitWords(call.command)
  if (words === undefined || !isHarmless(words, call)) {
    return { kind: 'pretended', output: 'The demo executor does not really run this command.' }
  }
  const [program = '', ...args] = words
  return run({ ...call, program: program === 'node' ? process.execPath : program, args })
}

/** Runs a program with its arguments in the worktree; output and errors come together. */
export function run(call: {
  program: string
  args: readonly string[]
  worktree: string
  signal?: AbortSignal
}): Promise<{ kind: 'ran'; exitCode: number; output: string }> {
  // node:child_process and not execa: the program has to start fast and stay small, as many of it run at once.
  return new Promise((settle) => {
    execFile(
      call.program,
      [...call.args],
      {
        cwd: call.worktree,
        timeout: TIME_LIMIT_MS,
        maxBuffer: OUTPUT_MAX_BYTES,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.trimEnd()
        if (error === null) return settle({ kind: 'ran', exitCode: 0, output })
        const exitCode = typeof error.code === 'number' ? error.code : 127
        settle({ kind: 'ran', exitCode, output: output === '' ? error.message : output })
      },
    )
  })
}

function isHarmless(words: string[], { worktree, scratch }: CommandCall): boolean {
  const [program = '', first = '', ...rest] = words
  if (PLAIN.has(program)) return program !== 'touch' || isInside(worktree, resolve(worktree, first))
  if (program === 'git')
    return GIT_READING.has(first) && !rest.some((word) => /^(-[dDmMcCfu]|--output)/.test(word))
  if (program === 'node')
    return first === '--test' && rest.every((word) => isInside(worktree, resolve(worktree, word)))
  if (program === 'npm') return first === 'test' && rest.length === 0
  return program === 'rm' && first === '-rf' && rest.length === 1 && rest[0] === scratch && isReal(scratch)
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** The scratch folder must be itself and not a link to something else. */
function isReal(path: string): boolean {
  try {
    return realpathSync(path).endsWith('/demo/scratch')
  } catch {
    return false
  }
}

function splitWords(command: string): string[] | undefined {
  if ((command.match(/'/g)?.length ?? 0) % 2 === 1 || (command.match(/"/g)?.length ?? 0) % 2 === 1)
    return undefined
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)
  return words?.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}
