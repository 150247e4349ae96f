import { AppError } from '../../../shared/errors.ts'
import type { InstallStep } from '../../../shared/ipc/host-calls.ts'
import { parseHostAddress, type HostAddress } from '../../../shared/node/host-client/address.ts'
import type { HostStore, StoredHost } from '../../../shared/node/hosts/host-store.ts'
import type { HostService } from '../hosts/types.ts'
import type { JobHandle } from '../jobs/types.ts'
import type { Installation } from '../platform.ts'
import { saidLines } from './inspect.ts'
import { createRemoteShell, type RemoteResult, type RemoteShell } from './remote-shell.ts'
import { reachScript } from './scripts.ts'
import { found, type Found } from './step-runner.ts'

/** What bringing Handoff to a host, or taking it away, needs. */
export interface InstallNeeds {
  host: string
  store: HostStore
  hosts: HostService
  installation: Installation
  job: Pick<JobHandle, 'signal' | 'progress'>
}

/** One attempt to install or remove Handoff on a host: all its steps, and whether it went well. */
export interface InstallOutcome {
  ok: boolean
  steps: InstallStep[]
}

/** How long stopping and starting agentd may take. */
export const SERVICE_TIMEOUT_MS = 120_000

/** The first step of every attempt: whether commands can be run there. */
export async function reach(shell: RemoteShell, host: string): Promise<Found> {
  const startedAt = performance.now()
  const said = checked(await shell.run(reachScript, { timeoutMs: 30_000 }), host)
  if (!saidLines(said.stdout).some(([name]) => name === 'reached'))
    throw new AppError({
      code: 'remote_failed',
      message: `${host} lets us in but runs no commands.`,
      hint: `Try by hand: ssh ${host} echo yes`,
    })
  return found('reached', { ms: Math.round(performance.now() - startedAt) })
}

/** The shell of a host of the list; throws `bad_request` for one that is not reached over ssh. */
export function shellOf({ host, store, job }: InstallNeeds): RemoteShell {
  const stored = store.get(host)
  const extraArgs = stored.sshConfig === undefined ? [] : ['-F', stored.sshConfig]
  return createRemoteShell({ address: requireSsh(stored), extraArgs, signal: job.signal })
}

function requireSsh(stored: StoredHost): Extract<HostAddress, { kind: 'ssh' }> {
  const address = parseHostAddress(stored.address)
  if (address.kind === 'ssh') return address
  throw new AppError({
    code: 'bad_request',
    message: `${stored.name} is not reached over ssh, so nothing can be installed there from here.`,
    hint: 'Add it as ssh://name, or install Handoff there by hand.',
  })
}

/** A script that failed, as the error of its step. */
export function checked(result: RemoteResult, host: string): RemoteResult {
  if (result.exitCode === 0) return result
  throw new AppError({
    code: 'remote_failed',
    message: `${host} could not do it (exit code ${result.exitCode}): ${lastLine(result.stderr || result.stdout)}`,
    hint: 'Look at the reason, then try this step again.',
    details: { exitCode: result.exitCode },
  })
}

/** The last line of a program's output, which is mostly the reason. */
export const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
