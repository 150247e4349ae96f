import { Duplex, type Readable, type Writable } from 'node:stream'
import { execa } from 'execa'
import { AppError } from '../../errors.ts'
import type { HostAddress } from './address.ts'

/** How ssh is started; the defaults respect ~/.ssh/config. */
export interface SshOptions {
  /** The ssh program. */
  program?: string
  /** Further options before the host, for example `['-F', file]`. */
  extraArgs?: readonly string[]
  /** What is run on the other machine; it is read by the login shell there. */
  remoteCommand?: string
}

/** A running ssh whose stdio is a connection to the agentd of another machine. */
export interface SshBridge {
  stream: Duplex
  /** Resolves when ssh has ended, with what that means. */
  failure: Promise<AppError>
  kill(): void
}

const STDERR_TAIL = 2_000
/** How long what ssh had passed on may still be read after its end. */
const UNREAD_MS = 1_000
// Without a terminal nobody could answer a question, so ssh must fail instead of asking.
const OPTIONS = ['-T', '-o', 'BatchMode=yes', '-o', 'ServerAliveInterval=15', '-o', 'ConnectTimeout=10']
/** ssh exits so for its own failures. */
const EXIT_SSH = 255
/** The shell on the other side exits so when it does not find the command. */
const EXIT_NOT_FOUND = 127

/** The arguments with which ssh is started for an address. */
export function sshArguments(address: Extract<HostAddress, { kind: 'ssh' }>, options: SshOptions): string[] {
  return [
    ...OPTIONS,
    ...(options.extraArgs ?? []),
    ...(address.port === undefined ? [] : ['-p', String(address.port)]),
    '--',
    address.user === undefined ? address.host : `${address.user}@${address.host}`,
    options.remoteCommand ?? 'handoff dial-stdio',
  ]
}

/** Starts ssh to a host; errors come out of `failure`, and the stream ends. */
export function openSshBridge(
  address: Extract<HostAddress, { kind: 'ssh' }>,
  options: SshOptions,
): SshBridge {
  const child = execa(options.program ?? 'ssh', sshArguments(address, options), {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    // In a session of its own, Ctrl-C does not reach it: the call in progress is then cancelled in order.
    detached: true,
  })
  let tail = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => (tail = (tail + text).slice(-STDERR_TAIL)))
  // A pipe that breaks because ssh ended is reported by how ssh ended; killing it now would hide its exit code.
  child.stdin.on('error', () => undefined)
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
  const failure = child.then((result) =>
    sshFailure({
      host: address.host,
      command: sshCommand(address, options),
      exitCode: result.exitCode,
      code: result.code,
      stderr: tail,
    }),
  )
  void failure.then(() => endStream(stream))
  return { stream, failure, kill: () => end(child) }
}

/** Ends ssh with what it started: a ProxyCommand that lives on would hold our end of its pipes. */
function end({ pid, stdin, stdout, stderr }: Pipes & { pid?: number | undefined }): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  for (const pipe of [stdin, stdout, stderr]) pipe.destroy()
}

interface Pipes {
  stdin: Writable
  stdout: Readable
  stderr: Readable
}

/** A Duplex made of two pipes may wait for ever for one that broke; without ssh there is nothing to wait for. */
function endStream(stream: Duplex): void {
  const destroy = () => stream.destroy()
  if (stream.readableEnded) return void destroy()
  stream.once('end', destroy)
  setTimeout(destroy, UNREAD_MS).unref()
}

/** What the end of ssh means to the person who wanted to reach the host. */
export function sshFailure({
  host,
  command,
  exitCode,
  code,
  stderr,
}: {
  host: string
  /** How a person reaches the host by hand. */
  command: string
  exitCode: number | undefined
  /** Set when ssh could not be started at all. */
  code?: string | undefined
  stderr: string
}): AppError {
  const said = stderr.trim().split('\n').slice(-5).join('\n')
  const because = said === '' ? '.' : `: ${said}`
  const details = { host, ...(exitCode === undefined ? {} : { exitCode }) }
  if (code === 'ENOENT')
    return new AppError({
      code: 'host_unreachable',
      message: 'The program ssh was not found here.',
      hint: 'Install the OpenSSH client, or reach the host by ws://.',
      details,
    })
  if (exitCode === EXIT_SSH)
    return new AppError({
      code: 'host_unreachable',
      message: `ssh could not connect to ${host}${because}`,
      hint: connectHint(command, stderr),
      details,
    })
  if (exitCode === EXIT_NOT_FOUND)
    return new AppError({
      code: 'host_unreachable',
      message: `Handoff is not installed on ${host}, or not on the PATH that ssh gets there${because}`,
      hint: `Install it there, then try: ${command} handoff doctor`,
      details,
    })
  return new AppError({
    code: 'host_unreachable',
    message: `The connection through ssh to ${host} ended${because}`,
    hint: `Try: ${command} handoff agentd status`,
    details,
  })
}

/** What to do about a failure of ssh itself, told by its own words. */
function connectHint(command: string, stderr: string): string {
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr))
    return `The host shows another key than before. If it was set up anew, remove the old key (ssh-keygen -R) and accept the new one with: ${command}\nIf not, somebody may stand in between: do not connect.`
  if (/Host key verification failed/.test(stderr))
    return `Its key is not known here yet. Connect once by hand and check the key: ${command}`
  if (/Permission denied/.test(stderr))
    return `Nobody can type a password here. Give ssh a key that works without (ssh-copy-id, ssh-agent), then try: ${command} -o BatchMode=yes true`
  return `Try: ${command} -o BatchMode=yes true`
}

/** The ssh command of a person for an address, without what only programs need. */
export function sshCommand(
  address: Extract<HostAddress, { kind: 'ssh' }>,
  { extraArgs = [] }: SshOptions,
): string {
  const port = address.port === undefined ? [] : ['-p', String(address.port)]
  const host = address.user === undefined ? address.host : `${address.user}@${address.host}`
  return ['ssh', ...extraArgs, ...port, host].join(' ')
}
