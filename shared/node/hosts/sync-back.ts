import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import type { Task } from '../../domain/task.ts'
import { readBundleHeader } from '../git/bundle-header.ts'
import { rootCommits } from '../git/identity.ts'
import { listTips } from '../git/repository.ts'
import { commitsPresent } from '../git/revision.ts'
import { syncBranch, type SyncOutcome } from '../git/sync.ts'
import { downloadFile } from '../host-client/download.ts'
import type { Call } from '../host-client/pending-calls.ts'

const MAX_HAVES = 2_000

/** The repository that a task's branch belongs into. */
export interface SyncTarget {
  repoPath: string
  /** The branch's name as it was told at dispatch; a host that later says another one is refused. */
  branch?: string | undefined
}

/** What is brought from where to where. */
export interface SyncBack {
  client: { call: Call }
  task: Task
  target: SyncTarget
  signal: AbortSignal
}

/**
 * Brings a task's branch into a repository: fetch only, never a merge or checkout. Throws what the host or git says.
 * The bundle travels through a temporary file.
 */
export async function syncBack({ client, task, target, signal }: SyncBack): Promise<SyncOutcome> {
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
    return await syncBranch({
      repoPath,
      branch: result.branch,
      commit: result.commit,
      ...(isEmpty ? {} : { bundlePath }),
      signal,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
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
