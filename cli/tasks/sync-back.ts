import { open, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { Task } from '../../shared/domain/task.ts'
import { listTips } from '../../shared/node/git/repository.ts'
import { syncBranch, type SyncOutcome } from '../../shared/node/git/sync.ts'
import type { Context } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import type { SyncOut } from '../json-shapes.ts'

const MAX_HAVES = 2_000

/** Where a task's results belong on this machine, or undefined when it was not dispatched from here. */
export function returnsTo(
  context: Pick<Context, 'dispatched'>,
  host: string,
  task: Task,
): string | undefined {
  if (task.repo.kind === 'path' && host === 'local') return undefined
  return context.dispatched.load(task.id)?.repoPath
}

/**
 * Brings a task's branch into a repository: fetch only, never a merge or checkout. Throws what the host or git says.
 * The bundle travels through a temporary file.
 */
export async function syncBack({
  client,
  task,
  repoPath,
  signal,
}: {
  client: HostClient
  task: Task
  repoPath: string
  signal?: AbortSignal
}): Promise<SyncOut> {
  const folder = await mkdtemp(join(tmpdir(), 'handoff-pull-'))
  try {
    const bundlePath = join(folder, 'task.bundle')
    const tips = await listTips({ cwd: repoPath, limit: MAX_HAVES, signal })
    const haves = [...new Set([task.base, ...tips.map((tip) => tip.sha)])].slice(0, MAX_HAVES)
    const file = await open(bundlePath, 'wx', 0o600)
    const onChunk = async (data: Uint8Array) => void (await file.write(data))
    const result = await client
      .call('task.bundle', { task: task.id, haves }, { onChunk, ...(signal === undefined ? {} : { signal }) })
      .finally(() => file.close())
    const isEmpty = result.nothingNew || (await stat(bundlePath)).size === 0
    const outcome = await syncBranch({
      repoPath,
      branch: result.branch,
      commit: result.commit,
      ...(isEmpty ? {} : { bundlePath }),
      signal,
    })
    return syncOut(outcome, repoPath)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As `syncBack`, but a failure is told in the result: it must never hide what the result belongs to. */
export async function trySyncBack(call: Parameters<typeof syncBack>[0]): Promise<SyncOut> {
  try {
    return await syncBack(call)
  } catch (error) {
    if (call.signal?.aborted === true) throw error
    if (error instanceof AppError) return { kind: 'failed', code: error.code, message: error.message }
    return {
      kind: 'failed',
      code: 'internal',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

function syncOut(outcome: SyncOutcome, repo: string): SyncOut {
  const { kind, branch, commit } = outcome
  const local = 'local' in outcome ? outcome.local : 'from' in outcome ? outcome.from : undefined
  return {
    kind,
    branch,
    commit,
    repo,
    ...(local === undefined ? {} : { local }),
    ...('keptAt' in outcome ? { keptAt: outcome.keptAt } : {}),
    ...('worktreePath' in outcome ? { worktreePath: outcome.worktreePath } : {}),
  }
}

/** What a sync did, in one sentence. */
export function syncWords(sync: SyncOut): string {
  if (sync.kind === 'failed')
    return `The result could not be brought here: ${sync.message} (\`handoff pull\` tries again)`
  const short = sync.commit.slice(0, 10)
  switch (sync.kind) {
    case 'created':
      return `${sync.branch} is now in ${sync.repo} (${short})`
    case 'updated':
      return `${sync.branch} in ${sync.repo} moved forward to ${short}`
    case 'unchanged':
      return `${sync.branch} in ${sync.repo} is up to date (${short})`
    case 'local_ahead':
      return `${sync.branch} in ${sync.repo} already holds ${short} and has commits of its own; it was left alone`
    case 'diverged':
      return `${sync.branch} in ${sync.repo} has other commits and was kept; the result lies at ${sync.keptAt ?? short}`
    case 'checked_out_here':
      return `${sync.branch} is checked out in ${sync.worktreePath ?? sync.repo} and was not moved; the result lies at ${sync.keptAt ?? short}`
  }
}
