import { Readable } from 'node:stream'
import { execa } from 'execa'
import { AppError } from '../../../shared/errors.ts'
import type { HostAddress } from '../../../shared/node/host-client/address.ts'
import { sshArguments, sshCommand, sshFailure } from '../../../shared/node/host-client/ssh-bridge.ts'
import { quoteAlways } from '../../../shared/node/hosts/attach-argv.ts'

const MAX_OUTPUT_BYTES = 1024 * 1024
const EXIT_SSH = 255

/** What a script on the other machine said. */
export interface RemoteResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs fixed scripts on another machine over ssh. */
export interface RemoteShell {
  /**
   * Runs a script with plain `sh`, whatever the login shell is. `args` become its `$1`, `$2`, …; the script is never put
   * together from them. Throws when ssh fails; the script's own exit code is in the result.
   */
  run(script: string, options?: { args?: readonly string[]; timeoutMs?: number }): Promise<RemoteResult>
  /** As `run` with bytes as its input; the script must be one line without backslashes and single quotes. */
  feed(script: string, input: AsyncIterable<Buffer>, args: readonly string[]): Promise<RemoteResult>
}

const SCRIPT_TIMEOUT_MS = 60_000

/** Makes the shell of one address; `signal` ends what runs. */
export function createRemoteShell({
  address,
  extraArgs,
  signal,
}: {
  address: Extract<HostAddress, { kind: 'ssh' }>
  extraArgs: readonly string[]
  signal: AbortSignal
}): RemoteShell {
  async function ssh(
    remoteCommand: string,
    input: string | Readable,
    timeoutMs: number | undefined,
  ): Promise<RemoteResult> {
    const result = await execa('ssh', sshArguments(address, { extraArgs, remoteCommand }), {
      input,
      reject: false,
      maxBuffer: MAX_OUTPUT_BYTES,
      cancelSignal: signal,
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    })
    if (signal.aborted)
      throw new AppError({ code: 'cancelled', message: 'The work on the host was cancelled.' })
    if (result.timedOut) throw tooSlow(address.host)
    const { exitCode, stderr, stdout } = result
    if (exitCode === undefined || exitCode === EXIT_SSH)
      throw sshFailure({
        host: address.host,
        command: sshCommand(address, { extraArgs }),
        exitCode,
        code: result.code,
        stderr,
      })
    return { exitCode, stdout, stderr }
  }

  return {
    run: (script, { args = [], timeoutMs = SCRIPT_TIMEOUT_MS } = {}) =>
      ssh(['sh', '-s', '--', ...args.map(quoteAlways)].join(' '), script, timeoutMs),
    feed: (script, input, args) =>
      ssh(
        ['sh', '-c', quoteAlways(script), 'sh', ...args.map(quoteAlways)].join(' '),
        Readable.from(input),
        undefined,
      ),
  }
}

function tooSlow(host: string): AppError {
  return new AppError({
    code: 'timeout',
    message: `${host} did not finish in time.`,
    hint: 'Try this step again; look at the load of that machine when it stays so.',
  })
}
