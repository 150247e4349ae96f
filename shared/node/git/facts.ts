import { isBranchName } from './branch-name.ts'
import { branchTip, readHead } from './repository.ts'
import { assertFullSha, countCommits, findCommit, isAncestor } from './revision.ts'
import { runGit } from './run.ts'
import { allChangedPaths, readChanges } from './status.ts'

/** How the repository differs from what an executor said it had done. */
export type Difference =
  | { code: 'branch_missing'; branch: string }
  | { code: 'commit_missing'; commit: string }
  | { code: 'commit_not_on_branch'; commit: string; branch: string }
  /** The branch goes on after the commit that was named. */
  | { code: 'head_moved'; commit: string; head: string }
  /** The worktree has another branch (or none) checked out than the one claimed. */
  | { code: 'other_branch_checked_out'; branch: string | undefined }
  | { code: 'tree_dirty'; paths: string[]; count: number }
  | { code: 'no_new_commits' }

/** What git knows about a task's worktree at the end of a round. */
export interface CompletionFacts {
  /** Checked-out branch; undefined when HEAD is detached. */
  branch: string | undefined
  head: string
  clean: boolean
  commitsSinceBase: number
  lastCommit: { subject: string; authorName: string; authorEmail: string; committedAtMs: number }
  differences: Difference[]
}

interface FactsCall {
  worktreePath: string
  /** Full sha the round (or the task) began at; `no_new_commits` and `commitsSinceBase` count from it. */
  base: string
  /** What the executor said; leave out what it did not say. */
  claimed: { branch?: string | undefined; commit?: string | undefined }
  signal?: AbortSignal | undefined
}

const MAX_PATHS = 50

/** Reads the facts and compares them with the claim. The claim may hold anything; it is only looked up. */
export async function completionFacts({
  worktreePath,
  base,
  claimed,
  signal,
}: FactsCall): Promise<CompletionFacts> {
  assertFullSha(base)
  const cwd = worktreePath
  const head = await readHead({ cwd, signal })
  const commit = head.kind === 'unborn' ? base : head.commit
  const branch = head.kind === 'detached' ? undefined : head.branch
  const changes = allChangedPaths(await readChanges({ cwd, signal }))
  const commitsSinceBase =
    head.kind === 'unborn' ? 0 : await countCommits({ cwd, from: base, to: commit, signal })
  const differences = await compareClaim({ cwd, claimed, branch, head: commit, signal })
  if (changes.length > 0)
    differences.push({ code: 'tree_dirty', paths: changes.slice(0, MAX_PATHS), count: changes.length })
  if (commitsSinceBase === 0) differences.push({ code: 'no_new_commits' })
  const lastCommit = await describeCommit({ cwd, commit, signal })
  return { branch, head: commit, clean: changes.length === 0, commitsSinceBase, lastCommit, differences }
}

async function compareClaim({
  cwd,
  claimed,
  branch,
  head,
  signal,
}: {
  cwd: string
  claimed: FactsCall['claimed']
  branch: string | undefined
  head: string
  signal: AbortSignal | undefined
}): Promise<Difference[]> {
  const differences: Difference[] = []
  const name = claimed.branch?.replace(/^refs\/heads\//, '')
  const tip =
    name !== undefined && isBranchName(name) ? await branchTip({ cwd, branch: name, signal }) : undefined
  if (name !== undefined && tip === undefined)
    differences.push({ code: 'branch_missing', branch: name.slice(0, 200) })
  else if (name !== undefined && branch !== name)
    differences.push({ code: 'other_branch_checked_out', branch })
  if (claimed.commit === undefined) return differences
  // Agents name commits by a short sha too; a branch name or `HEAD~1` would be no claim about a commit.
  const named = /^[0-9a-f]{4,64}$/i.test(claimed.commit)
    ? await findCommit({ cwd, revision: claimed.commit, signal })
    : undefined
  if (named === undefined)
    return [...differences, { code: 'commit_missing', commit: claimed.commit.slice(0, 200) }]
  const end = tip ?? head
  if (!(await isAncestor({ cwd, ancestor: named, descendant: end, signal }))) {
    differences.push({ code: 'commit_not_on_branch', commit: named, branch: name ?? branch ?? 'HEAD' })
  } else if (named !== end) differences.push({ code: 'head_moved', commit: named, head: end })
  return differences
}

async function describeCommit({
  cwd,
  commit,
  signal,
}: {
  cwd: string
  commit: string
  signal: AbortSignal | undefined
}): Promise<CompletionFacts['lastCommit']> {
  const args = [
    'log',
    '-1',
    '--no-show-signature',
    '--encoding=UTF-8',
    '--format=%ct%x00%an%x00%ae%x00%s',
    commit,
    '--',
  ]
  const [seconds = '0', name = '', email = '', subject = ''] = (
    await runGit({ cwd, signal, args })
  ).stdout.split('\0')
  return {
    subject: subject.trimEnd().slice(0, 500),
    authorName: name.slice(0, 200),
    authorEmail: email.slice(0, 200),
    committedAtMs: Number(seconds) * 1000,
  }
}

/** One sentence for a difference, for people and for the executor. */
export function differenceText(difference: Difference): string {
  switch (difference.code) {
    case 'branch_missing':
      return `The branch ${difference.branch} does not exist.`
    case 'commit_missing':
      return `The commit ${difference.commit} does not exist.`
    case 'commit_not_on_branch':
      return `The commit ${difference.commit.slice(0, 12)} is not on ${difference.branch}.`
    case 'head_moved':
      return `The branch goes on after ${difference.commit.slice(0, 12)}: it is at ${difference.head.slice(0, 12)}.`
    case 'other_branch_checked_out':
      return difference.branch === undefined
        ? 'The worktree is on no branch.'
        : `The worktree is on ${difference.branch}.`
    case 'tree_dirty':
      return `${difference.count} file(s) are not committed, for example ${JSON.stringify(difference.paths[0])}.`
    case 'no_new_commits':
      return 'Nothing was committed in this round.'
  }
}
