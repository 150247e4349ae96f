import { resolve } from 'node:path'
import { AppError } from '../../errors.ts'
import { assertFolder, runGit } from './run.ts'
import { findCommit } from './revision.ts'

interface Where {
  cwd: string
  signal?: AbortSignal | undefined
}

/** Where a repository lies. Paths are absolute and resolved by git. */
export interface Repository {
  /** The working tree's top folder; undefined for a bare repository. */
  topLevel: string | undefined
  /** The git folder shared by all worktrees. */
  commonDir: string
  bare: boolean
  /** History is cut off: root commits cannot be known and old commits cannot be sent. */
  shallow: boolean
  objectFormat: 'sha1' | 'sha256'
}

/** What HEAD is: on a branch, on a branch without a commit yet, or on no branch. */
export type Head =
  | { kind: 'branch'; branch: string; commit: string }
  | { kind: 'unborn'; branch: string }
  | { kind: 'detached'; commit: string }

/** Finds the repository that `cwd` lies in; throws git.not_a_repository with git's own reason. */
export async function findRepository({ cwd, signal }: Where): Promise<Repository> {
  await assertFolder(cwd)
  const ask = (args: string[]) => runGit({ cwd, signal, args: ['rev-parse', ...args] })
  const first = await ask([
    '--is-bare-repository',
    '--is-inside-work-tree',
    '--is-shallow-repository',
    '--show-object-format',
  ]).catch((cause: unknown) => {
    throw notARepository(cwd, cause)
  })
  const [bare, inside, shallow, format] = first.stdout.split('\n')
  if (bare !== 'true' && inside !== 'true') throw notARepository(cwd, undefined)
  // One path per call: a folder name may itself hold a line break.
  const commonDir = (await ask(['--git-common-dir'])).stdout.replace(/\n$/, '')
  const topLevel = inside === 'true' ? (await ask(['--show-toplevel'])).stdout.replace(/\n$/, '') : undefined
  return {
    topLevel,
    commonDir: resolve(cwd, commonDir),
    bare: bare === 'true',
    shallow: shallow === 'true',
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
  }
}

/** The top folder of the working tree that `cwd` lies in; throws git.not_a_repository (also for a bare repository). */
export async function findTopLevel({ cwd, signal }: Where): Promise<string> {
  const { topLevel } = await findRepository({ cwd, signal })
  if (topLevel === undefined) throw notARepository(cwd, undefined)
  return topLevel
}

/** What HEAD is now. */
export async function readHead({ cwd, signal }: Where): Promise<Head> {
  const { stdout, exitCode } = await runGit({
    cwd,
    signal,
    args: ['symbolic-ref', '--quiet', 'HEAD'],
    alsoOk: [1],
  })
  const commit = await findCommit({ cwd, signal, revision: 'HEAD' })
  const branch = stdout.trim().replace(/^refs\/heads\//, '')
  if (exitCode === 0 && commit === undefined) return { kind: 'unborn', branch }
  if (commit === undefined)
    throw new AppError({
      code: 'git.failed',
      message: 'HEAD of this repository is damaged.',
      hint: 'Run `git fsck`.',
    })
  return exitCode === 0 ? { kind: 'branch', branch, commit } : { kind: 'detached', commit }
}

/** The commit a local branch (short name) points at, or undefined. */
export async function branchTip({
  cwd,
  branch,
  signal,
}: Where & { branch: string }): Promise<string | undefined> {
  return findCommit({ cwd, signal, revision: `refs/heads/${branch}` })
}

/** A ref and the object it points at. */
export interface Tip {
  ref: string
  sha: string
}

/** Refs under a prefix (default all), newest commit first, at most `limit` (default 1 000). Tags are told as their commit. */
export async function listTips({
  cwd,
  prefix = 'refs/',
  limit = 1_000,
  signal,
}: Where & { prefix?: string; limit?: number }): Promise<Tip[]> {
  const args = [
    'for-each-ref',
    `--count=${Math.max(1, Math.floor(limit))}`,
    '--sort=-creatordate',
    '--format=%(objectname) %(*objectname) %(refname)',
    '--',
    prefix,
  ]
  const { stdout } = await runGit({ cwd, signal, args })
  const tips: Tip[] = []
  for (const line of stdout.split('\n')) {
    const [sha, peeled, ref] = line.split(' ')
    if (sha && ref) tips.push({ ref, sha: peeled === '' || peeled === undefined ? sha : peeled })
  }
  return tips
}

function notARepository(cwd: string, cause: unknown): AppError {
  if (cause instanceof AppError && cause.code !== 'git.failed') return cause
  const reason =
    cause instanceof AppError
      ? String(cause.details?.['stderr'] ?? '')
          .trim()
          .slice(0, 300)
      : ''
  return new AppError(
    {
      code: 'git.not_a_repository',
      message: `${cwd} is not inside a git working tree.${reason === '' ? '' : ` (git: ${reason})`}`,
      hint: 'Run this in a repository, or name one with --repo. `git init` makes a new one.',
    },
    { cause },
  )
}
