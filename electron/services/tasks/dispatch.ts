import { realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { planTitle } from '../../../shared/domain/plan-title.ts'
import type { Task } from '../../../shared/domain/task.ts'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import { snapshotUncommitted } from '../../../shared/node/git/dirty.ts'
import { findTopLevel } from '../../../shared/node/git/repository.ts'
import { resolveCommit } from '../../../shared/node/git/revision.ts'
import type { createDispatchedStore } from '../../../shared/node/hosts/dispatched.ts'
import { sendCode, type SendProgress } from '../../../shared/node/hosts/send-code.ts'
import type { CallInput } from '../../../shared/protocol.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { JobHandle, Jobs } from '../jobs/types.ts'
import type { SettingsService } from '../settings/types.ts'
import { callAgain, isConnectionTrouble, newRequestId, requireConnection } from './ask-host.ts'
import { localPath } from './local-path.ts'

const BACK_WITHIN_MS = 10_000
/** The worktree of a large repository takes its time. */
const START_TIMEOUT_MS = 5 * 60_000

type Input = IpcParsed<'task.dispatch'>

/** What dispatching needs of the desk. */
export interface DispatchNeeds {
  cache: Pick<Cache, 'put'>
  hosts: HostService
  jobs: Jobs
  settings: Pick<SettingsService, 'change'>
  dispatched: ReturnType<typeof createDispatchedStore>
  /** Told of a task that was dispatched to another host, so that its results are brought back. */
  onDispatched: (host: string, task: Task) => void
  clientId: string
  environment: NodeJS.ProcessEnv
}

/** Hands a plan to an executor, here or on another host; the code travels over the live connection, nothing is pushed. */
export function createDispatcher(needs: DispatchNeeds) {
  return (input: Input): Promise<IpcOutput<'task.dispatch'>> =>
    needs.jobs.run(input.jobId, (job) => dispatch(needs, input, job))
}

async function dispatch(
  needs: DispatchNeeds,
  input: Input,
  job: JobHandle,
): Promise<IpcOutput<'task.dispatch'>> {
  const { host } = input
  refuseContradictions(input)
  requireConnection(needs.hosts, host)
  job.progress({ step: 'asking' })
  const code = await localCode(input, needs.environment, job.signal)
  const repo = await deliverCode(needs.hosts, { host, ...code }, job)
  job.progress({ step: 'starting' })
  const { task } = await callAgain({
    hosts: needs.hosts,
    host,
    name: 'task.dispatch',
    // A request carries one id through all its attempts, so the host carries it out once.
    input: {
      requestId: newRequestId(),
      ...requestOf(input),
      repo,
      ...baseOf(input, code.commit),
      origin: originOf(needs, code.repoPath),
    },
    signal: job.signal,
    timeoutMs: START_TIMEOUT_MS,
  })
  needs.dispatched.save({ taskId: task.id, host, repoPath: code.repoPath, branch: task.branch })
  needs.cache.put(host, task)
  if (repo.kind === 'clone') needs.onDispatched(host, task)
  needs.settings.change({ lastTask: { host, repoPath: code.repoPath, executor: input.executor } })
  return { host, task }
}

function requestOf({ title, plan, executor, inPlace, allowDirty }: Input) {
  const named = title?.trim() ?? ''
  return { title: named === '' ? planTitle(plan) : named, plan, executor, inPlace, allowDirty }
}

/** Work in place begins where the repository is, unless a base was named. */
function baseOf({ inPlace, base }: Input, commit: string): { base?: string } {
  return inPlace && base === undefined ? {} : { base: commit }
}

function originOf({ clientId }: DispatchNeeds, repoPath: string): CallInput<'task.dispatch'>['origin'] {
  return { clientId, machine: hostname().slice(0, 255), repoPath }
}

function refuseContradictions({ host, plan, inPlace, includeDirty }: Input): void {
  const refuse = (message: string, hint: string) => {
    throw new AppError({ code: 'bad_request', message, hint })
  }
  if (plan.trim() === '') refuse('The plan is empty.', 'Say what shall be done.')
  if (inPlace && host !== 'local')
    refuse('Work in the repository itself is possible on this machine only.', 'Use a worktree.')
  if (inPlace && includeDirty)
    refuse('Work in place has the uncommitted files already.', 'Leave one of the two out.')
}

async function localCode(
  { repoPath: path, base, inPlace, includeDirty }: Input,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ repoPath: string; commit: string }> {
  const repoPath = await realpath(await findTopLevel({ cwd: localPath(path, environment), signal }))
  const commit = await resolveCommit({ cwd: repoPath, revision: base ?? 'HEAD', signal }).catch(
    (cause: unknown) => {
      if (base !== undefined || !(cause instanceof AppError) || cause.code !== 'git.unknown_revision')
        throw cause
      throw new AppError(
        {
          code: 'git.unknown_revision',
          message: `The repository ${repoPath} has no commit yet.`,
          hint: 'Make a first commit (`git commit --allow-empty -m start`), then try again.',
        },
        { cause },
      )
    },
  )
  if (inPlace || !includeDirty) return { repoPath, commit }
  const message = 'Uncommitted changes at dispatch'
  const snapshot = await snapshotUncommitted({ cwd: repoPath, base: commit, message, signal })
  return { repoPath, commit: snapshot.kind === 'clean' ? commit : snapshot.commit }
}

/** Brings the commit to the host, unless the repository is there anyway. */
async function deliverCode(
  hosts: HostService,
  { host, repoPath, commit }: { host: string; repoPath: string; commit: string },
  job: JobHandle,
): Promise<CallInput<'task.dispatch'>['repo']> {
  if (host === 'local') return { kind: 'path', path: repoPath }
  const send = () => {
    requireConnection(hosts, host)
    // An upload belongs to its connection: when that breaks, all of it begins anew over the next one.
    const client = { call: hosts.connection(host)?.call ?? hosts.call(host) }
    const onProgress = (progress: SendProgress) => job.progress(stepOf(progress))
    return sendCode({ client, repoPath, commit, signal: job.signal, onProgress })
  }
  const { key } = await send().catch(async (error: unknown) => {
    if (!isConnectionTrouble(error) || job.signal.aborted) throw error
    await hosts.whenLive(host, BACK_WITHIN_MS)
    return send()
  })
  return { kind: 'clone', key }
}

function stepOf(progress: SendProgress): Parameters<JobHandle['progress']>[0] {
  return progress.step === 'sending'
    ? { step: 'sending', done: progress.sentBytes, total: progress.totalBytes }
    : { step: progress.step }
}
