import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput } from '../../../shared/ipc.ts'
import { findRepository, findTopLevel, listTips, readHead } from '../../../shared/node/git/repository.ts'
import { runGit } from '../../../shared/node/git/run.ts'
import { allChangedPaths, readChanges } from '../../../shared/node/git/status.ts'

const MAX_BRANCHES = 500
const MAX_DIRTY = 50

interface Where {
  cwd: string
  signal: AbortSignal
}

/** What is known of a repository before a task is dispatched from it. */
export type RepoFacts = NonNullable<IpcOutput<'task.check'>['repo']>

/** A repository as the check sees it; `hasCommit` is false for one that was only just made. */
export interface RepoLook {
  facts: RepoFacts
  hasCommit: boolean
  shallow: boolean
}

/** Looks at the repository that a folder lies in. Throws `git.not_a_repository` and what git says. */
export async function lookAtRepository({ cwd, signal }: Where): Promise<RepoLook> {
  const top = await realpath(await findTopLevel({ cwd, signal }))
  const where = { cwd: top, signal }
  const [head, { shallow }, tips, changes] = await Promise.all([
    readHead(where),
    findRepository(where),
    listTips({ ...where, prefix: 'refs/heads/', limit: MAX_BRANCHES }),
    readChanges(where),
  ])
  const dirty = allChangedPaths(changes)
  const distance = head.kind === 'branch' ? await distanceToUpstream(where) : undefined
  const branches = tips.map(({ ref }) => ref.slice('refs/heads/'.length)).filter((name) => name.length <= 200)
  return {
    hasCommit: head.kind !== 'unborn',
    shallow,
    facts: {
      path: top,
      name: path.basename(top).slice(0, 200),
      ...(head.kind === 'detached' || head.branch.length > 200 ? {} : { branch: head.branch }),
      head: head.kind === 'unborn' ? '' : head.commit,
      branches,
      ...(distance ?? {}),
      dirty: dirty.slice(0, MAX_DIRTY).map((name) => name.slice(0, 4_096)),
      dirtyCount: dirty.length,
    },
  }
}

/** How far HEAD and its upstream are apart, as last fetched; undefined without an upstream. */
async function distanceToUpstream({
  cwd,
  signal,
}: Where): Promise<{ ahead: number; behind: number } | undefined> {
  const args = ['rev-list', '--left-right', '--count', 'HEAD...@{upstream}', '--']
  const { stdout, exitCode } = await runGit({ cwd, signal, args, alsoOk: [128] }).catch((error: unknown) => {
    // A very long history may take longer than a person waits; the distance is only for them to know.
    if (error instanceof AppError && error.code === 'timeout') return { stdout: '', exitCode: 128 }
    throw error
  })
  const [ahead, behind] = stdout.trim().split(/\s+/).map(Number)
  if (exitCode !== 0 || ahead === undefined || behind === undefined) return undefined
  return { ahead, behind }
}
