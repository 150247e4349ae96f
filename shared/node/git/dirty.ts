import { lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { findTopLevel } from './repository.ts'
import { resolveCommit } from './revision.ts'
import { runGit } from './run.ts'
import { readRawChanges } from './status.ts'

/** A commit that holds what was uncommitted, and what it could not hold. */
export interface Snapshot {
  kind: 'snapshot'
  commit: string
  tree: string
  /** Files whose uncommitted state the commit holds (deletions included), sorted. */
  files: string[]
  /** Changed, but not in the commit: submodules and nested repositories. */
  leftBehind: string[]
}

interface SnapshotCall {
  cwd: string
  /** The commit to build on; default HEAD. */
  base?: string
  message?: string
  /** Most bytes of changed files; default 512 MiB. */
  maxBytes?: number
  signal?: AbortSignal | undefined
}

/**
 * Builds a commit on top of `base` that holds all uncommitted tracked and untracked (not ignored) files as they lie in the
 * working tree. Only adds objects: working tree, index, HEAD and refs stay as they are. `clean` when there is nothing.
 * Throws git.dirty (an unfinished merge, or a file that also differs between HEAD and `base`) and too_large.
 */
export async function snapshotUncommitted(
  call: SnapshotCall,
): Promise<Snapshot | { kind: 'clean'; leftBehind: string[] }> {
  const top = await findTopLevel(call)
  const { signal } = call
  const base = await resolveCommit({ cwd: top, revision: call.base ?? 'HEAD', signal })
  const { tree, files, leftBehind } = await snapshotTree({
    top,
    base,
    maxBytes: call.maxBytes ?? 512 * 1024 ** 2,
    signal,
  })
  if (files.length === 0) return { kind: 'clean', leftBehind }
  const message = call.message ?? 'Uncommitted changes'
  const args = ['commit-tree', tree, '-p', base, '-F', '-']
  const env = await identityEnvironment(top, signal)
  const { stdout } = await runGit({ cwd: top, signal, args, input: message, env })
  return { kind: 'snapshot', commit: stdout.trim(), tree, files, leftBehind }
}

/**
 * The tree of `base` with the working tree's uncommitted files laid over it. Only adds objects, to wherever `env` says.
 * `conflicts: 'as_they_lie'` takes files of an unfinished merge as they are; the default refuses them.
 */
export async function snapshotTree({
  top,
  base,
  maxBytes,
  conflicts = 'refuse',
  env: objectsEnv = {},
  signal,
}: {
  top: string
  base: string
  maxBytes: number
  conflicts?: 'refuse' | 'as_they_lie'
  env?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}): Promise<{ tree: string; files: string[]; leftBehind: string[] }> {
  const changes = await readRawChanges({ cwd: top, signal })
  if (changes.unmerged.length > 0 && conflicts === 'refuse') throw unfinishedMerge(changes.unmerged)
  // A path that ends in a slash is a repository of its own inside this one.
  const nested = changes.untracked.filter((path) => path.endsWith('/'))
  const plain = [...changes.staged, ...changes.unstaged, ...changes.untracked, ...changes.unmerged].filter(
    (path) => !path.endsWith('/'),
  )
  const paths = [...new Set(plain)].sort()
  await refuseTooLarge(top, paths, maxBytes)
  await refuseDifferentBase({ top, base, paths, signal })
  const folder = await mkdtemp(join(tmpdir(), 'handoff-index-'))
  try {
    const env = { ...objectsEnv, GIT_INDEX_FILE: join(folder, 'index') }
    await runGit({ cwd: top, signal, env, args: ['read-tree', base] })
    if (paths.length > 0) {
      const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
      const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
      await runGit({ cwd: top, signal, env, args, input, timeoutMs: 10 * 60_000 })
    }
    const tree = (await runGit({ cwd: top, signal, env, args: ['write-tree'] })).stdout.trim()
    return {
      tree,
      files: paths.map(readable),
      leftBehind: [...changes.submodules, ...nested].map(readable).sort(),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function refuseTooLarge(top: string, paths: string[], maxBytes: number): Promise<void> {
  let total = 0
  for (const path of paths) {
    const info = await lstat(Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, 'latin1')])).catch(
      () => undefined,
    )
    total += info?.size ?? 0
    if (total <= maxBytes) continue
    throw new AppError({
      code: 'too_large',
      message: `The uncommitted files are larger than ${Math.round(maxBytes / 1024 ** 2)} MiB, with ${JSON.stringify(readable(path))}.`,
      hint: 'Ignore or move away large files that the task does not need.',
    })
  }
}

async function refuseDifferentBase({
  top,
  base,
  paths,
  signal,
}: {
  top: string
  base: string
  paths: string[]
  signal: AbortSignal | undefined
}): Promise<void> {
  const head = await resolveCommit({ cwd: top, revision: 'HEAD', signal })
  if (head === base || paths.length === 0) return
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', head, base, '--']
  const { stdout } = await runGit({ cwd: top, signal, args, encoding: 'latin1', maxBytes: 64 * 1024 ** 2 })
  const different = new Set(stdout.split('\0'))
  const clash = paths.find((path) => different.has(path))
  if (clash === undefined) return
  throw new AppError({
    code: 'git.dirty',
    message: `${JSON.stringify(readable(clash))} has uncommitted changes and is also different in the base of this task.`,
    hint: 'Commit your changes on a branch and use that as the base, or leave them out.',
  })
}

/** Git refuses to commit without a name; a machine without one gets a neutral identity. */
async function identityEnvironment(
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, string>> {
  const { exitCode } = await runGit({ cwd, signal, args: ['var', 'GIT_COMMITTER_IDENT'], alsoOk: [1, 128] })
  if (exitCode === 0) return {}
  const [name, email] = ['Handoff', 'handoff@localhost']
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}

function unfinishedMerge(paths: string[]): AppError {
  return new AppError({
    code: 'git.dirty',
    message: `A merge is not finished here: ${JSON.stringify(readable(paths[0] ?? ''))} is in conflict.`,
    hint: 'Finish or abort the merge, or leave the uncommitted files out.',
  })
}

function readable(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
