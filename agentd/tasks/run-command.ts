import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { visibleLine } from '../../shared/domain/visible.ts'
import { AppError } from '../../shared/errors.ts'
import { killCommandTree } from '../executors/reap.ts'

interface Run {
  argv: readonly string[]
  cwd: string
  environment: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
  write(data: Uint8Array, channel: 'stdout' | 'stderr'): Promise<void>
}

type Outcome = { exitCode: number | null; signal: string | null; timedOut: boolean }

/**
 * Runs a command in a worktree and streams what it prints; nothing is read faster than the client takes it. On the time
 * limit, or when the client goes away, the command and everything it started is ended.
 */
export function runInWorktree({ argv, cwd, environment, timeoutMs, signal, write }: Run): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const [file = '', ...args] = argv
    if (argv.some((arg) => arg.includes('\0')))
      throw new AppError({
        code: 'bad_request',
        message: 'An argument of a command cannot hold a zero byte.',
      })
    // A process group of its own, so that what the command starts can be ended with it.
    const child = spawn(file, args, {
      cwd,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let timedOut = false
    const end = (): void => {
      if (child.pid !== undefined) void killCommandTree(child.pid)
    }
    const timer = setTimeout(() => {
      timedOut = true
      end()
    }, timeoutMs)
    signal.addEventListener('abort', end)
    // Settled from the start: a client that goes away makes them fail long before the command has ended.
    const pumps = Promise.allSettled([pump(child.stdout, 'stdout'), pump(child.stderr, 'stderr')])

    async function pump(stream: AsyncIterable<Buffer>, channel: 'stdout' | 'stderr'): Promise<void> {
      for await (const chunk of stream) await write(chunk, channel)
    }
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      finish()
      reject(startFailure(error, file, cwd))
    })
    child.once('exit', (exitCode, signalName) => {
      // A child that was left in the background may hold the pipes open; what it prints later is not this command's.
      if (timedOut || signal.aborted) for (const stream of [child.stdout, child.stderr]) stream.destroy()
      void pumps.then(() => {
        finish()
        if (signal.aborted) reject(new AppError({ code: 'cancelled', message: 'The command was cancelled.' }))
        else resolve({ exitCode, signal: signalName, timedOut })
      })
    })
  })
}

/** A command as people name it, on one line and short: the line that a shell was given, or the words of `argv`. */
export function commandLine(argv: readonly string[]): string {
  const [shell, flag, line] = argv
  const isShell = (shell === 'sh' || shell === 'bash') && flag === '-c' && argv.length === 3
  return visibleLine((isShell ? line : undefined) ?? argv.join(' ')).slice(0, 200)
}

function startFailure(cause: NodeJS.ErrnoException, file: string, cwd: string): unknown {
  // Node says ENOENT for a missing folder too.
  if (!existsSync(cwd))
    return new AppError(
      {
        code: 'file_not_found',
        message: `The worktree ${cwd} is not there (any more).`,
        hint: "The task's branch is still in its repository.",
      },
      { cause },
    )
  const why: Record<string, string> = {
    ENOENT: 'was not found on the host',
    EACCES: 'may not be run',
    E2BIG: 'was given too many arguments',
  }
  const said = why[cause.code ?? '']
  if (said === undefined) return cause
  return new AppError(
    {
      code: 'bad_request',
      message: `${file.slice(0, 200)} ${said}.`,
      hint: 'See the PATH of executors with "handoff doctor".',
    },
    { cause },
  )
}
