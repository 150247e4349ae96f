import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { normaliseRemoteUrl, type Remote } from './remote-url.ts'
import { listRemotes } from './remotes.ts'
import { findRepository, readHead } from './repository.ts'
import { runGit } from './run.ts'

/** By what a repository is recognised on another machine. Lists are sorted and hold no secret. */
export interface RepositoryIdentity {
  /** Root commits of HEAD; empty when nothing is committed yet or the clone is shallow. */
  roots: string[]
  /** Remotes in the one spelling of `normaliseRemoteUrl`. */
  remotes: string[]
}

const MAX_ROOTS = 64

/**
 * The root commits of HEAD (sorted, at most 64). Walks the whole history: about 1 s for 100 000 commits without a
 * commit-graph file, so callers that ask often should keep the answer, which changes only when unrelated histories merge.
 */
export async function rootCommits({
  cwd,
  signal,
}: {
  cwd: string
  signal?: AbortSignal | undefined
}): Promise<string[]> {
  const { shallow } = await findRepository({ cwd, signal })
  // The cut-off commits of a shallow clone look like roots and are not.
  if (shallow || (await readHead({ cwd, signal })).kind === 'unborn') return []
  const args = ['rev-list', '--max-parents=0', `--max-count=${MAX_ROOTS}`, 'HEAD', '--']
  const { stdout } = await runGit({ cwd, signal, args, timeoutMs: 120_000 })
  return stdout.split('\n').filter(Boolean).sort()
}

/** Reads a repository's identity and its remotes as they may be sent to a host. */
export async function readIdentity({
  cwd,
  signal,
}: {
  cwd: string
  signal?: AbortSignal | undefined
}): Promise<{ identity: RepositoryIdentity; remotes: Remote[]; name: string }> {
  const remotes = await listRemotes({ cwd, signal })
  const { topLevel, commonDir } = await findRepository({ cwd, signal })
  const normalised = [...new Set(remotes.map(({ url }) => normaliseRemoteUrl(url)))].sort()
  const identity = { roots: await rootCommits({ cwd, signal }), remotes: normalised }
  return { identity, remotes, name: repositoryName(topLevel ?? commonDir) }
}

/** A folder-safe short name (a-z, 0-9, `-`, at most 40) of a repository from its path; `repo` when nothing is left. */
export function repositoryName(path: string): string {
  const plain = basename(path)
    .replace(/\.git$/, '')
    .toLowerCase()
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40)
      .replace(/-+$/, '') || 'repo'
  )
}

/**
 * Whether two identities are the same repository: a common root commit (where both know theirs) and a common remote
 * (where both have some). Forks with their own remotes are different, because a push would go elsewhere.
 */
export function sameRepository(a: RepositoryIdentity, b: RepositoryIdentity): boolean {
  const share = (x: string[], y: string[]) => x.some((value) => y.includes(value))
  const rootsKnown = a.roots.length > 0 && b.roots.length > 0
  const remotesKnown = a.remotes.length > 0 && b.remotes.length > 0
  if (!rootsKnown && !remotesKnown) return false
  return (!rootsKnown || share(a.roots, b.roots)) && (!remotesKnown || share(a.remotes, b.remotes))
}

/** A stable folder-safe key of an identity: `<name>-<12 hex digits>`. */
export function repositoryKey({ identity, name }: { identity: RepositoryIdentity; name: string }): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([identity.roots, identity.remotes]))
    .digest('hex')
  return `${repositoryName(name)}-${hash.slice(0, 12)}`
}
