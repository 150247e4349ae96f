import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { runGit } from './run.ts'

const ATTEMPTS = 10

/** One working tree of a repository, as git has it recorded. */
export interface Worktree {
  path: string
  /** Undefined for a bare repository's own entry and for a branch without a commit. */
  head: string | undefined
  /** Short branch name; undefined when HEAD is detached. */
  branch: string | undefined
  bare: boolean
  /** Undefined when not locked; git uses `initializing` while it is still making the worktree. */
  lockReason: string | undefined
  /** Its folder is gone. */
  prunable: boolean
}

/** git's exit code for an option it does not know. */
const USAGE_EXIT = 129

/** All working trees of the repository, the main one first. */
export async function listWorktrees({
  cwd,
  signal,
}: {
  cwd: string
  signal?: AbortSignal | undefined
}): Promise<Worktree[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return parseWorktrees(await listing(cwd, signal))
    } catch (error) {
      // Another `git worktree add` is writing its records at this moment: they are there, and still empty.
      const isHalfWritten =
        error instanceof AppError && /failed to read .*(commondir|gitdir|HEAD)/.test(error.message)
      if (!isHalfWritten || attempt >= ATTEMPTS) throw error
      await delay(attempt * 40 + Math.random() * 60, undefined, signal ? { signal } : {})
    }
  }
}

async function listing(cwd: string, signal: AbortSignal | undefined): Promise<string> {
  const args = ['worktree', 'list', '--porcelain']
  const exact = await runGit({ cwd, signal, args: [...args, '-z'], alsoOk: [USAGE_EXIT] })
  if (exact.exitCode === 0) return exact.stdout
  // Before git 2.36 there is no -z: the same lines, ended by line breaks.
  return (await runGit({ cwd, signal, args })).stdout.replaceAll('\n', '\0')
}

/** Reads `git worktree list --porcelain -z` (format: git-worktree(1), "Porcelain Format"). */
export function parseWorktrees(text: string): Worktree[] {
  const worktrees: Worktree[] = []
  for (const block of text.split('\0\0')) {
    const fields = new Map<string, string>()
    for (const line of block.split('\0')) {
      const space = line.indexOf(' ')
      if (line !== '')
        fields.set(space < 0 ? line : line.slice(0, space), space < 0 ? '' : line.slice(space + 1))
    }
    const path = fields.get('worktree')
    if (path === undefined) continue
    const head = fields.get('HEAD')
    worktrees.push({
      path,
      head: head === undefined || /^0+$/.test(head) ? undefined : head,
      branch: fields.get('branch')?.replace(/^refs\/heads\//, ''),
      bare: fields.has('bare'),
      lockReason: fields.get('locked'),
      prunable: fields.has('prunable'),
    })
  }
  return worktrees
}

/** The recorded working tree at a path, however the path is spelt (symlinked parents included), also if its folder is gone. */
export async function findWorktree({
  cwd,
  path,
  signal,
  worktrees,
}: {
  cwd: string
  path: string
  signal?: AbortSignal | undefined
  /** The list, when the caller has it already. */
  worktrees?: readonly Worktree[]
}): Promise<Worktree | undefined> {
  const wanted = await canonicalPath(path)
  for (const worktree of worktrees ?? (await listWorktrees({ cwd, signal }))) {
    if (worktree.path === path || (await canonicalPath(worktree.path)) === wanted) return worktree
  }
  return undefined
}

/** The real path of something that may not exist yet: its nearest existing parent is resolved. */
export async function canonicalPath(path: string): Promise<string> {
  const absolute = resolve(path)
  const real = await realpath(absolute).catch(() => undefined)
  if (real !== undefined) return real
  const parent = dirname(absolute)
  return parent === absolute ? absolute : join(await canonicalPath(parent), basename(absolute))
}
