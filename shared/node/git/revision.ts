import { AppError } from '../../errors.ts'
import { runGit } from './run.ts'

interface Where {
  cwd: string
  signal?: AbortSignal | undefined
}

/** A full object id, sha1 or sha256. */
export const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Throws git.unknown_revision unless `value` is a full, lower-case object id. */
export function assertFullSha(value: string): void {
  if (!FULL_SHA.test(value)) throw unknownRevision(value)
}

/** The full sha of the commit that `revision` names (branch, tag, short sha, HEAD~2 …); throws git.unknown_revision. */
export async function resolveCommit({
  cwd,
  revision,
  signal,
}: Where & { revision: string }): Promise<string> {
  const sha = await findCommit({ cwd, revision, signal })
  if (sha === undefined) throw unknownRevision(revision)
  return sha
}

/** Like `resolveCommit`, but answers undefined for what does not name a commit here. */
export async function findCommit({
  cwd,
  revision,
  signal,
}: Where & { revision: string }): Promise<string | undefined> {
  // A NUL cannot be passed, and an empty name would mean HEAD once `^{commit}` is appended.
  if (revision === '' || revision.length > 1_000 || revision.includes('\0')) return undefined
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const { stdout, exitCode } = await runGit({ cwd, signal, args, alsoOk: [1, 128] })
  const sha = stdout.trim()
  return exitCode === 0 && FULL_SHA.test(sha) ? sha : undefined
}

/** Which of these full shas are commits that exist here, in the given order; one process for all. Others are ignored. */
export async function commitsPresent({
  cwd,
  shas,
  signal,
  env,
}: Where & { shas: readonly string[]; env?: Record<string, string> }): Promise<string[]> {
  const wanted = shas.filter((sha) => FULL_SHA.test(sha))
  if (wanted.length === 0) return []
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)']
  const input = `${wanted.join('\n')}\n`
  const { stdout } = await runGit({ cwd, signal, args, input, env: { GIT_NO_LAZY_FETCH: '1', ...env } })
  const present = new Set<string>()
  for (const line of stdout.split('\n'))
    if (line.endsWith(' commit')) present.add(line.slice(0, -' commit'.length))
  return wanted.filter((sha) => present.has(sha))
}

/** Whether `ancestor` is reachable from `descendant` (both full shas that exist here; a commit is its own ancestor). */
export async function isAncestor({
  cwd,
  ancestor,
  descendant,
  signal,
}: Where & { ancestor: string; descendant: string }): Promise<boolean> {
  assertFullSha(ancestor)
  assertFullSha(descendant)
  const args = ['merge-base', '--is-ancestor', ancestor, descendant]
  return (await runGit({ cwd, signal, args, alsoOk: [1] })).exitCode === 0
}

/** How many commits are reachable from `to` and not from `from` (full shas). */
export async function countCommits({
  cwd,
  from,
  to,
  signal,
}: Where & { from: string; to: string }): Promise<number> {
  assertFullSha(from)
  assertFullSha(to)
  const { stdout } = await runGit({ cwd, signal, args: ['rev-list', '--count', to, `^${from}`, '--'] })
  return Number(stdout.trim())
}

function unknownRevision(revision: string): AppError {
  return new AppError({
    code: 'git.unknown_revision',
    message: `There is no commit ${JSON.stringify(revision.slice(0, 100))} in this repository.`,
    hint: 'Name a branch, a tag or a commit that `git log` shows.',
  })
}
