import { createHash } from 'node:crypto'
import { execa } from 'execa'
import { SHELL_SERVER } from '../../shared/node/hosts/attach-argv.ts'
import { AppError } from '../../shared/errors.ts'
import { createSerialQueue } from './serial-queue.ts'
import { createTmuxRun, folderArgument } from './run-tmux.ts'

/** A shell that somebody opened beside a task. `key` names it among those of the task, `number` is for people. */
export interface ShellState {
  key: string
  session: string
  number: number
}

interface OpenCall {
  taskSession: string
  cwd: string
  requestId: string
}

/** Shells of people in the worktrees of tasks. */
export type Shells = ReturnType<typeof createShells>

const MAX_SHELLS = 8
const NUMBER = '@handoff-shell'
const PS_MS = 5_000

/**
 * Shells on a tmux server of their own. So they outlive the desk and a lost connection, an executor that is started anew does not
 * end them, and whoever types in one has no say in the size of an agent's screen: tmux knows clients with the keyboard and
 * clients without it only for a whole server.
 */
export function createShells({ environment }: { environment: NodeJS.ProcessEnv }) {
  const run = createTmuxRun({ environment, server: SHELL_SERVER })
  const opening = createSerialQueue()

  async function list(taskSession: string): Promise<ShellState[]> {
    const listed = await run(['list-sessions', '-F', `#{session_name} #{${NUMBER}}`], [1])
    return listed.stdout
      .split('\n')
      .flatMap((line) => parseShell(line, taskSession))
      .sort((a, b) => a.number - b.number)
  }

  async function findShell(taskSession: string, key: string): Promise<ShellState | undefined> {
    return (await list(taskSession)).find((shell) => shell.key === key)
  }

  async function openNow({ taskSession, cwd, requestId }: OpenCall): Promise<ShellState> {
    const key = `shell-${createHash('sha256').update(requestId).digest('hex').slice(0, 12)}`
    const there = await list(taskSession)
    const same = there.find((shell) => shell.key === key)
    if (same !== undefined) return same
    if (there.length >= MAX_SHELLS) throw tooMany()
    const number = freeNumber(there)
    const session = `${taskSession}-${key}`
    await run(newShellArgs({ session, cwd, number }))
    return { key, session, number }
  }

  return {
    list,
    /** Opens one in a folder; the same `requestId` opens one shell, however often. Throws `rate_limited` beyond eight. */
    open(call: OpenCall): Promise<ShellState> {
      // Between a look at what is there and a new shell nobody else may open one.
      return opening.run(() => openNow(call))
    },
    /** Ends a shell; without `force` not one in which a program runs, which is named. */
    async close({
      taskSession,
      key,
      force,
    }: {
      taskSession: string
      key: string
      force: boolean
    }): Promise<{ kind: 'closed' } | { kind: 'busy'; program: string }> {
      const shell = await findShell(taskSession, key)
      if (shell === undefined) return { kind: 'closed' }
      const program = force ? undefined : await runningProgram(shell.session)
      if (program !== undefined) return { kind: 'busy', program }
      await run(['kill-session', '-t', `=${shell.session}`], [1])
      return { kind: 'closed' }
    },
    /** Ends all shells of a task, whatever runs in them. */
    async closeAll(taskSession: string): Promise<void> {
      for (const { session } of await list(taskSession)) await run(['kill-session', '-t', `=${session}`], [1])
    },
  }

  /** What runs in the foreground of a shell, if it is not the shell itself. */
  async function runningProgram(session: string): Promise<string | undefined> {
    const format = '#{pane_dead} #{pane_pid} #{pane_current_command}'
    const listed = await run(['list-panes', '-s', '-t', `=${session}`, '-F', format], [1])
    for (const line of listed.stdout.split('\n')) {
      const [, pid, program = ''] = /^0 (\d+) (.*)$/.exec(line) ?? []
      if (pid !== undefined && !(await isForeground(pid))) return program.slice(0, 200)
    }
    return undefined
  }
}

/** Whether a program has its terminal to itself: the group in the foreground is its own. `ps` says it on Linux and macOS. */
async function isForeground(pid: string): Promise<boolean> {
  const said = await execa('ps', ['-o', 'pgid=,tpgid=', '-p', pid], { reject: false, timeout: PS_MS })
  const [own, foreground] = said.stdout.trim().split(/\s+/)
  return foreground === undefined || own === foreground
}

function newShellArgs({ session, cwd, number }: { session: string; cwd: string; number: number }): string[] {
  const target = `=${session}:`
  const options: [string, string][] = [
    // The desk has tabs and a line of its own.
    ['status', 'off'],
    ['destroy-unattached', 'off'],
    ['detach-on-destroy', 'on'],
    [NUMBER, String(number)],
  ]
  return [
    ...['new-session', '-d', '-s', session, '-x', '120', '-y', '40', '-c', folderArgument(cwd)],
    ...options.flatMap(([name, value]) => [';', 'set-option', '-t', target, name, value]),
    ...[';', 'set-option', '-w', '-t', target, 'remain-on-exit', 'off'],
    // Without the alternate screen the lines that leave the screen are lines above it in the desk, which scrolls and finds there.
    ...[';', 'set-option', '-s', 'terminal-overrides[700]', 'xterm-256color:smcup@:rmcup@'],
  ]
}

function freeNumber(there: readonly ShellState[]): number {
  const taken = new Set(there.map(({ number }) => number))
  let number = 1
  while (taken.has(number)) number += 1
  return number
}

function parseShell(line: string, taskSession: string): ShellState[] {
  const [session = '', number] = line.split(' ')
  const key = session.slice(taskSession.length + 1)
  if (!session.startsWith(`${taskSession}-`) || !/^shell-[0-9a-f]+$/.test(key)) return []
  return [{ key, session, number: Number(number) || 1 }]
}

function tooMany(): AppError {
  return new AppError({
    code: 'rate_limited',
    message: `This task has ${MAX_SHELLS} shells already.`,
    hint: 'Close one of them.',
  })
}
