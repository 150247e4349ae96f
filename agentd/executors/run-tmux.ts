import { execa } from 'execa'
import { AppError } from '../../shared/errors.ts'

/** Runs one tmux command line (several with `;`): throws `tmux_missing` or `executor_failed`. */
export type RunTmux = (
  args: readonly string[],
  alsoOk?: readonly number[],
) => Promise<{ ok: boolean; stdout: string }>

const INSTALL_HINT = 'Install it: `apt-get install tmux`, `dnf install tmux` or `brew install tmux`.'
const TIMEOUT_MS = 10_000

/**
 * The tmux server a person reaches with plain `tmux attach`, or one of its own beside it (`server`, as `tmux -L` names it). TMUX_TMPDIR
 * counts, an inherited TMUX does not. `alsoOk` are exit codes that are no failure.
 */
export function createTmuxRun({
  environment,
  server,
  timeoutMs = TIMEOUT_MS,
}: {
  environment: NodeJS.ProcessEnv
  server?: string
  /** After so long tmux is given up. */
  timeoutMs?: number
}): RunTmux {
  const env = tmuxEnvironment(environment)
  const place = server === undefined ? [] : ['-L', server]
  return async (args, alsoOk = []) => {
    const running = execa('tmux', ['-u', ...place, ...args], {
      env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      cwd: '/',
    })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      running.kill('SIGKILL')
      // tmux hands its output to its server. One that hangs keeps it open, also when nobody is left who could answer.
      running.stdout.destroy()
      running.stderr.destroy()
    }, timeoutMs)
    const result = await running.finally(() => clearTimeout(timer))
    if (isLate) throw noAnswer(args[0] ?? '', timeoutMs)
    if (result.exitCode === 0 || (result.exitCode !== undefined && alsoOk.includes(result.exitCode))) {
      return { ok: result.exitCode === 0, stdout: result.stdout }
    }
    throw tmuxFailure(args[0] ?? '', result)
  }
}

/** tmux reads a trailing `;` of an argument as the end of a command. */
export function escapeEnd(argument: string): string {
  return argument.endsWith(';') ? `${argument.slice(0, -1)}\\;` : argument
}

/** A folder for `-c`, which is a format: a `#` in its name has to be doubled. */
export function folderArgument(cwd: string): string {
  return escapeEnd(cwd.replaceAll('#', '##'))
}

const KEPT =
  /^(HOME|USER|LOGNAME|SHELL|PATH|LANG|LC_[A-Z]+|TERM|COLORTERM|TMPDIR|TMUX_TMPDIR|XDG_[A-Z_]+|DISPLAY|WAYLAND_DISPLAY|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS)$/

/** The first call may start the person's tmux server, which keeps this environment: no secrets, no task's mark. */
function tmuxEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && KEPT.test(name)) kept[name] = value
  return kept
}

function noAnswer(command: string, timeoutMs: number): AppError {
  return new AppError({
    code: 'executor_failed',
    message: `tmux ${command} was not answered within ${timeoutMs / 1_000} s: the tmux server hangs.`,
    hint: 'Try `tmux ls` as the same user. A server that does not answer there either has to be ended.',
  })
}

function tmuxFailure(
  command: string,
  result: { exitCode?: number | undefined; code?: string | undefined; stderr: string },
): AppError {
  if (result.exitCode === undefined && result.code === 'ENOENT') {
    return new AppError({ code: 'tmux_missing', message: 'tmux is not installed here.', hint: INSTALL_HINT })
  }
  return new AppError({
    code: 'executor_failed',
    message: `tmux ${command} failed: ${result.stderr.trim().slice(0, 500) || 'no reason given'}`,
    hint: 'Try `tmux ls` as the same user to see whether tmux itself works.',
  })
}
