import { join } from 'node:path'
import { shortId } from '../../domain/task.ts'
import { AppError } from '../../errors.ts'
import { repositoryName } from './identity.ts'

const SLUG_MAX = 40

/**
 * A task title as part of a branch name: ASCII words joined by `-`, at most 40 characters, accents dropped. A title
 * without any (Chinese, emoji) becomes `task`.
 */
export function slugOf(title: string): string {
  const words =
    title
      .slice(0, 1_000)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  let slug = ''
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, SLUG_MAX) : `${slug}-${word}`
    if (longer.length > SLUG_MAX) break
    slug = longer
  }
  return slug || 'task'
}

/** The short form of a task id for a name on disk; throws git.bad_name when it could be more than letters and digits. */
function nameOf(taskId: string): string {
  const id8 = shortId(taskId)
  if (!/^[A-Za-z0-9]{8}$/.test(id8)) throw badName(taskId, 'task id')
  return id8
}

/** The branch of a task: `handoff/<id8>-<slug>`. */
export function taskBranch({ taskId, title }: { taskId: string; title: string }): string {
  return `handoff/${nameOf(taskId)}-${slugOf(title)}`
}

/** The folder of a task's worktree: `<home>/worktrees/<repo>-<id8>`. */
export function worktreeFolder({
  home,
  repoPath,
  taskId,
}: {
  home: string
  repoPath: string
  taskId: string
}): string {
  return join(home, 'worktrees', `${repositoryName(repoPath)}-${nameOf(taskId)}`)
}

/** Whether `name` may be a local branch: the rules of git-check-ref-format(1), and nothing that reads as an option or as HEAD. */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > 200 || name === '@' || name === 'HEAD' || name.startsWith('-'))
    return false

  if (/[\u0000-\u0020\u007f~^:?*[\\]/.test(name)) return false
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Throws git.bad_name unless `name` may be a local branch. */
export function assertBranchName(name: string): void {
  if (!isBranchName(name)) throw badName(name, 'branch name')
}

function badName(name: string, what: string): AppError {
  return new AppError({
    code: 'git.bad_name',
    message: `${JSON.stringify(name.slice(0, 100))} cannot be used as a ${what}.`,
    hint: 'Use letters, digits, `-`, `_`, `.` and single slashes, and do not begin with `-`.',
  })
}
