import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mkdir } from 'node:fs/promises'

/** What `createScreens` made. */
export interface Screens {
  env: NodeJS.ProcessEnv
  /** A part of the flood; the whole is `repeats` of it. */
  block: string
  sizeMegabytes: number
  /** Begins the screen of tmux; answers how to end it. It floods when a line is typed into it. */
  beginTmux(session: string): () => void
}

const BLOCK_LINES = 10_000

/**
 * Programs in place of what a terminal shows: `tmux` of this environment floods for the session `flood`, gives back every key
 * for the session `echo`, and is the real tmux for every other.
 */
export async function createScreens(
  folder: string,
  { env, flood, echo, megabytes }: { env: NodeJS.ProcessEnv; flood: string; echo: string; megabytes: number },
): Promise<Screens> {
  const block = logLines()
  const file = path.join(folder, 'flood.txt')
  const repeats = Math.ceil((megabytes * 1_000_000) / block.length)
  writeFileSync(file, block.repeat(repeats))
  const bin = path.join(folder, 'bin')
  await mkdir(bin)
  const real = execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim()
  const script = [
    '#!/bin/sh',
    'for session; do :; done',
    'case "$session" in',
    `  "=${flood}") stty raw -echo; cat ${file}; printf 'flood is over'; exec sleep 600 ;;`,
    `  "=${echo}") stty raw -echo; printf ready; exec cat ;;`,
    'esac',
    `exec ${real} "$@"`,
  ]
  const program = path.join(bin, 'tmux')
  writeFileSync(program, `${script.join('\n')}\n`)
  chmodSync(program, 0o755)
  const tmuxEnv = { ...env, LC_ALL: 'C.UTF-8' }
  return {
    env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` },
    block,
    sizeMegabytes: (repeats * block.length) / 1_000_000,
    beginTmux(session) {
      const done = path.join(folder, 'tmux-done')
      const work = `read line; cat ${file}; touch ${done}; exec sleep 600`
      execFileSync(real, ['-u', 'new-session', '-d', '-s', session, '-x', '120', '-y', '40', work], {
        env: tmuxEnv,
      })
      return () => void execFileSync(real, ['kill-server'], { env: tmuxEnv })
    },
  }
}

/** About a megabyte of what a build prints, with colours. */
function logLines(): string {
  const lines = Array.from({ length: BLOCK_LINES }, (_, n) => {
    const name = `packages/part-${n % 37}/src/module-${(n * 7_919) % 1_000}.ts`
    return `\x1b[32m✓\x1b[0m ${name} \x1b[2m(${n % 90} tests)\x1b[0m ${(n * 31) % 2_000} ms, ${'.'.repeat(n % 40)}`
  })
  return `${lines.join('\r\n')}\r\n`
}
