import { AppError } from '../../errors.ts'
import { processEnvironment } from '../process-environment.ts'
import { assertBranchName } from './branch-name.ts'
import { branchTip } from './repository.ts'
import { listRemotes } from './remotes.ts'
import { runGit } from './run.ts'
import { redactUrls } from './remote-url.ts'

/** What became of a push. `rejected` is the remote's (or git's) own reason; nothing was changed there. */
export type PushOutcome =
  | { kind: 'pushed'; remote: string; branch: string; commit: string }
  | { kind: 'up_to_date'; remote: string; branch: string; commit: string }
  | { kind: 'rejected'; remote: string; reason: string }
  | { kind: 'no_remote' }

interface PushCall {
  repoPath: string
  branch: string
  /** Default: what git would use (branch and `remote.pushDefault` settings), else `origin`, else the only remote. */
  remote?: string
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

/**
 * Pushes one branch to the branch of the same name, never by force, no tags, and without asking anybody for a password.
 * The repository's own pre-push hooks run. Throws git.unknown_revision (no such branch), git.push_failed (remote not reached,
 * no access), timeout.
 */
export async function pushBranch({
  repoPath,
  branch,
  remote,
  timeoutMs = 10 * 60_000,
  signal,
}: PushCall): Promise<PushOutcome> {
  assertBranchName(branch)
  const commit = await branchTip({ cwd: repoPath, branch, signal })
  if (commit === undefined) {
    throw new AppError({
      code: 'git.unknown_revision',
      message: `There is no branch ${branch} to push.`,
      hint: 'See `git branch`.',
    })
  }
  const target = await chooseRemote({ repoPath, branch, remote, signal })
  if (target === undefined) return { kind: 'no_remote' }
  const args = [
    'push',
    '--porcelain',
    '--no-follow-tags',
    '--no-signed',
    '--',
    target,
    `refs/heads/${branch}:refs/heads/${branch}`,
  ]
  const env = { GIT_SSH_COMMAND: await quietSsh(repoPath, signal) }
  const { stdout, stderr, exitCode } = await runGit({
    cwd: repoPath,
    signal,
    args,
    env,
    timeoutMs,
    hooks: true,
    alsoOk: [1, 128],
  })
  return readPush({ stdout, stderr, exitCode, target, branch, commit })
}

function readPush({
  stdout,
  stderr,
  exitCode,
  target,
  branch,
  commit,
}: {
  stdout: string
  stderr: string
  exitCode: number
  target: string
  branch: string
  commit: string
}): PushOutcome {
  // git-push(1) --porcelain: `<flag>\t<from>:<to>\t<summary> (<reason>)`.
  const line = /^([ *=!+-])\t[^\t]*\t(.*)$/m.exec(stdout)
  const said = redactUrls(stderr)
    .split('\n')
    .filter((text) => text.trim() !== '' && !text.startsWith('hint:'))
  if (line?.[1] === '!') {
    const server = said
      .filter((text) => text.startsWith('remote:'))
      .map((text) => text.slice('remote:'.length).trim())
    return {
      kind: 'rejected',
      remote: target,
      reason: [line[2] ?? '', ...server].join(' ').trim().slice(0, 1_000),
    }
  }
  if (exitCode === 0 && line !== null) {
    return { kind: line[1] === '=' ? 'up_to_date' : 'pushed', remote: target, branch, commit }
  }
  throw new AppError({
    code: 'git.push_failed',
    message: `The branch could not be pushed to ${target}: ${said.slice(-4).join(' ').slice(0, 600) || `exit ${exitCode}`}`,
    hint: `Check that \`git push ${target} ${branch}\` works in ${JSON.stringify(target)}'s repository without a password being typed.`,
  })
}

/** The remote that `pushBranch` would push to, by name; undefined when there is none to choose. */
export async function chooseRemote({
  repoPath,
  branch,
  remote,
  signal,
}: {
  repoPath: string
  branch: string
  remote?: string | undefined
  signal?: AbortSignal | undefined
}): Promise<string | undefined> {
  const names = (await listRemotes({ cwd: repoPath, signal })).map(({ name }) => name)
  if (names.length === 0) return undefined
  if (remote !== undefined) return names.includes(remote) ? remote : undefined
  const setting = async (key: string) =>
    (await runGit({ cwd: repoPath, signal, args: ['config', '--get', key], alsoOk: [1] })).stdout.trim()
  const wanted = [
    await setting(`branch.${branch}.pushRemote`),
    await setting('remote.pushDefault'),
    await setting(`branch.${branch}.remote`),
    'origin',
  ].find((name) => names.includes(name))
  return wanted ?? (names.length === 1 ? names[0] : undefined)
}

/** The person's ssh command with questions switched off (an unknown key or passphrase then fails instead of hanging). */
async function quietSsh(repoPath: string, signal: AbortSignal | undefined): Promise<string> {
  const configured = await runGit({
    cwd: repoPath,
    signal,
    args: ['config', '--get', 'core.sshCommand'],
    alsoOk: [1],
  })
  const command = processEnvironment()['GIT_SSH_COMMAND'] ?? (configured.stdout.trim() || 'ssh')
  return `${command} -oBatchMode=yes -oConnectTimeout=20`
}
