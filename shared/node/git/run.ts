import type { ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { execa, type Options } from 'execa'
import { AppError } from '../../errors.ts'
import { processEnvironment } from '../process-environment.ts'
import { gitEnvironment, gitSettings } from './environment.ts'
import { redactUrls } from './remote-url.ts'

/** One git call. Values from outside belong behind `--end-of-options` or `--` in `args`. */
export interface GitCall {
  cwd: string
  args: readonly string[]
  signal?: AbortSignal | undefined
  /** Default 60 000. */
  timeoutMs?: number
  /** Most bytes of standard output kept by `runGit`; default 16 MiB, more is `too_large`. */
  maxBytes?: number
  input?: string | Uint8Array | Readable
  env?: Record<string, string>
  /** Exit codes besides 0 that are an answer and not a failure. */
  alsoOk?: readonly number[]
  /** Let the repository's hooks run; default no. */
  hooks?: boolean
  /** `latin1` keeps every byte of file names that are not UTF-8. */
  encoding?: 'utf8' | 'latin1'
}

/** What a finished git call answered. */
export interface GitResult {
  stdout: string
  stderr: string
  exitCode: number
}

/** The part of execa's result that is read here. */
interface Ended {
  exitCode?: number | undefined
  signal?: string | undefined
  code?: string | undefined
  stdout: unknown
  stderr: unknown
  isCanceled: boolean
  timedOut: boolean
  isMaxBuffer: boolean
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024
const STDERR_MAX_BYTES = 1024 * 1024

/**
 * Runs git and keeps its output in memory, within bounds.
 * Throws AppError: git.missing, git.not_a_repository (the folder is gone), cancelled, timeout, too_large, git.failed.
 */
export async function runGit(call: GitCall): Promise<GitResult> {
  refuseCancelled(call)
  const child = execa('git', argv(call), {
    ...optionsOf(call),
    encoding: call.encoding ?? 'utf8',
    maxBuffer: { stdout: call.maxBytes ?? DEFAULT_MAX_BYTES, stderr: STDERR_MAX_BYTES },
  })
  endWithGit(child)
  const result = await child
  await refuseMissingFolder(call, result)
  return finish(call, result)
}

/** What `streamGit` tells its reader to do with the rest. */
export type StreamVerdict = 'more' | 'stop'

/**
 * Runs git and hands its output on piece by piece, waiting for the reader (bounded memory). A reader that answers
 * `stop` ends git early, which is not an error. Throws as `runGit` does; an error of the reader ends git and is passed on.
 */
export async function streamGit(
  call: GitCall,
  onChunk: (chunk: Buffer) => StreamVerdict | Promise<StreamVerdict>,
): Promise<{ stopped: boolean }> {
  refuseCancelled(call)
  const child = execa('git', argv(call), {
    ...optionsOf(call),
    encoding: 'buffer',
    buffer: { stdout: false, stderr: true },
    maxBuffer: { stderr: STDERR_MAX_BYTES },
  })
  endWithGit(child)
  let stopped = false
  try {
    for await (const chunk of child.stdout as unknown as AsyncIterable<Buffer>) {
      if ((await onChunk(chunk)) === 'more') continue
      stopped = true
      break
    }
  } catch (error) {
    child.kill()
    await child
    // A broken pipe after a failed spawn or a cancelled call is told better by the result below.
    if (!isStreamEnd(error)) throw error
  }
  if (stopped) child.kill()
  const result = await child
  await refuseMissingFolder(call, result)
  if (!stopped) finish(call, result)
  return { stopped }
}

/** What git started (a fetch of missing objects, a filter) may outlive a git that was ended, and hold its pipes open. */
function endWithGit(child: Pick<ChildProcess, 'once' | 'stdout' | 'stderr'>): void {
  child.once('exit', (_code, signal) => {
    if (signal !== null) for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  })
}

function refuseCancelled(call: GitCall): void {
  // A signal that was given before the start is not seen by a child that ends quickly.
  if (call.signal?.aborted) throw cancelled(call)
}

function cancelled(call: GitCall): AppError {
  return new AppError({ code: 'cancelled', message: `git ${subcommandOf(call)} was cancelled.` })
}

function argv(call: GitCall): string[] {
  return ['--no-pager', '--literal-pathspecs', ...gitSettings({ hooks: call.hooks ?? false }), ...call.args]
}

function optionsOf(call: GitCall) {
  return {
    cwd: call.cwd,
    env: { ...gitEnvironment(processEnvironment()), ...call.env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    forceKillAfterDelay: 2_000,
    ...(call.input === undefined ? { stdin: 'ignore' as const } : { input: call.input }),
    ...(call.signal === undefined ? {} : { cancelSignal: call.signal }),
  } satisfies Options
}

function finish(call: GitCall, result: Ended): GitResult | never {
  const stderr = textOf(result.stderr)
  // Git may have ended well before it could be stopped; its answer is cut off all the same.
  if (result.isMaxBuffer && textOf(result.stdout).length >= (call.maxBytes ?? DEFAULT_MAX_BYTES))
    throw tooLarge(call)
  if (result.exitCode === 0 || (result.exitCode !== undefined && call.alsoOk?.includes(result.exitCode))) {
    return { stdout: textOf(result.stdout), stderr, exitCode: result.exitCode }
  }
  throw failureOf(call, result, stderr)
}

function failureOf(call: GitCall, result: Ended, stderr: string): AppError {
  const command = subcommandOf(call)
  if (result.isCanceled) return cancelled(call)
  if (result.isMaxBuffer) return tooLarge(call)
  if (result.timedOut) {
    return new AppError({
      code: 'timeout',
      message: `git ${command} took longer than ${Math.round((call.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000)} s.`,
      hint: 'Check the disk and the network of this machine, then try again.',
    })
  }
  if (result.exitCode === undefined && result.signal === undefined) return spawnFailure(call, result)
  const said = lastLines(stderr) || `exit ${result.exitCode ?? result.signal}`
  return new AppError({
    code: 'git.failed',
    message: `git ${command} failed: ${said}`,
    hint: `Run the same in ${call.cwd} to see more.`,
    details: { command, exitCode: result.exitCode ?? null, stderr: redactUrls(stderr.slice(-2_000)) },
  })
}

async function refuseMissingFolder(call: GitCall, result: Ended): Promise<void> {
  // The system answers the same for a missing program and a missing folder to run it in.
  if (result.code === 'ENOENT' || result.code === 'ENOTDIR') await assertFolder(call.cwd)
}

function spawnFailure(call: GitCall, result: Ended): AppError {
  const gone = result.code === 'ENOENT' || result.code === 'ENOTDIR'
  return new AppError(
    {
      code: gone ? 'git.missing' : 'git.failed',
      message: gone
        ? 'There is no git on this machine (or not in PATH).'
        : `git ${subcommandOf(call)} could not be started.`,
      hint: 'Install git, then try again.',
    },
    { cause: result instanceof Error ? result : undefined },
  )
}

/** Throws git.not_a_repository when `path` is no folder, so that a missing folder is not taken for a missing git. */
export async function assertFolder(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined)
  if (info?.isDirectory()) return
  throw new AppError({
    code: 'git.not_a_repository',
    message: `${path} is not a folder.`,
    hint: 'Name the folder of a git repository.',
  })
}

function tooLarge(call: GitCall): AppError {
  return new AppError({
    code: 'too_large',
    message: `git ${subcommandOf(call)} answered more than ${call.maxBytes ?? DEFAULT_MAX_BYTES} bytes.`,
    hint: 'Narrow the question, for example to fewer files.',
  })
}

function subcommandOf(call: GitCall): string {
  return call.args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) ?? ''
}

function lastLines(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
  return redactUrls(lines.slice(-3).join(' ')).slice(0, 600)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : ''
}

function isStreamEnd(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'EPIPE' || code === 'ABORT_ERR'
}
