import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { Task } from '../../shared/domain/task.ts'
import { readBundleHeader } from '../../shared/node/git/bundle-header.ts'
import { rootCommits } from '../../shared/node/git/identity.ts'
import { listTips } from '../../shared/node/git/repository.ts'
import { commitsPresent } from '../../shared/node/git/revision.ts'
import { downloadFile } from '../../shared/node/host-client/download.ts'
import { syncBranch, type SyncOutcome } from '../../shared/node/git/sync.ts'
import type { Context } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { again, isConnectionTrouble, type Where } from '../hosts/retry.ts'
import type { SyncOut } from '../json-shapes.ts'

const MAX_HAVES = 2_000

/** Where a task's results belong on this machine, or undefined when it was not dispatched from here. */
export function returnsTo(
  context: Pick<Context, 'dispatched'>,
  host: string,
  task: Task,
): Target | undefined {
  if (task.repo.kind === 'path' && host === 'local') return undefined
  return context.dispatched.load(task.id)
}

/** The repository that a task's branch belongs into. */
export interface Target {
  repoPath: string
  /** The branch's name as it was told at dispatch; a host that later says another one is refused. */
  branch?: string | undefined
}

interface SyncBack {
  client: HostClient
  task: Task
  target: Target
  signal: AbortSignal
}

/**
 * Brings a task's branch into a repository: fetch only, never a merge or checkout. Throws what the host or git says.
 * The bundle travels through a temporary file.
 */
export async function syncBack({ client, task, target, signal }: SyncBack): Promise<SyncOut> {
  const { repoPath, branch } = target
  const folder = await mkdtemp(join(tmpdir(), 'handoff-pull-'))
  try {
    const bundlePath = join(folder, 'task.bundle')
    const haves = await havesOf({ repoPath, base: task.base, signal })
    const result = await downloadFile(bundlePath, (onChunk) =>
      client.call('task.bundle', { task: task.id, haves }, { onChunk, signal }),
    )
    refuseOtherBranch(result.branch, branch)
    const isEmpty = result.nothingNew || (await stat(bundlePath)).size === 0
    if (!isEmpty) await refuseStranger(bundlePath, haves, repoPath)
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

/**
 * As `syncBack`, again over a new connection when one broke, and a failure is told in the result: it must never hide what
 * the result belongs to.
 */
export async function trySyncBack(
  { where, first }: { where: Where; first?: HostClient },
  call: Omit<SyncBack, 'client' | 'signal'>,
): Promise<SyncOut> {
  const { signal } = where
  const sync = (client: HostClient) => syncBack({ ...call, client, signal })
  try {
    if (first === undefined) return await again(where, sync)
    return await sync(first).catch((error: unknown) => {
      if (!isConnectionTrouble(error)) throw error
      return again(where, sync)
    })
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof AppError) return { kind: 'failed', code: error.code, message: error.message }
    return {
      kind: 'failed',
      code: 'internal',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

/** Commits that are here: where the task began, the tips, and (for a repository that has gone other ways) its roots. */
async function havesOf({
  repoPath,
  base,
  signal,
}: {
  repoPath: string
  base: string
  signal: AbortSignal
}): Promise<string[]> {
  const [here, tips] = await Promise.all([
    commitsPresent({ cwd: repoPath, shas: [base], signal }),
    listTips({ cwd: repoPath, limit: MAX_HAVES, signal }),
  ])
  const old = here.length > 0 ? here : await rootCommits({ cwd: repoPath, signal })
  return [...new Set([...old, ...tips.map((tip) => tip.sha)])].slice(0, MAX_HAVES)
}

/** A bundle that builds on nothing is a whole history; a repository that has another one is the wrong repository. */
async function refuseStranger(bundlePath: string, haves: readonly string[], repoPath: string): Promise<void> {
  if (haves.length === 0 || (await readBundleHeader(bundlePath)).prerequisites.length > 0) return
  throw new AppError({
    code: 'bad_request',
    message: `${repoPath} is another repository: it has no commit in common with the task.`,
    hint: 'Name the right one with --repo.',
  })
}

function refuseOtherBranch(branch: string, told: string | undefined): void {
  if (told === undefined || branch === told) return
  throw new AppError({
    code: 'git.bad_name',
    message: `The host sent the branch ${branch.slice(0, 200)}, but the task was dispatched on ${told}.`,
    hint: 'Nothing was changed here. Look at the task on its host.',
  })
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
