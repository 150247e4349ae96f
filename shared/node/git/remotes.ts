import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { isSafeRemote, stripCredentials, type Remote } from './remote-url.ts'
import { runGit } from './run.ts'

const MAX_REMOTES = 50

/** The repository's remotes (at most 50) with credentials removed from their urls. */
export async function listRemotes({
  cwd,
  signal,
}: {
  cwd: string
  signal?: AbortSignal | undefined
}): Promise<Remote[]> {
  const args = ['config', '-z', '--get-regexp', '^remote\\..*\\.url$']
  const { stdout } = await runGit({ cwd, signal, args, alsoOk: [1] })
  const remotes = new Map<string, string>()
  for (const entry of stdout.split('\0')) {
    const newline = entry.indexOf('\n')
    if (newline < 0) continue
    const name = entry.slice('remote.'.length, newline - '.url'.length)
    if (!remotes.has(name)) remotes.set(name, stripCredentials(entry.slice(newline + 1)))
  }
  return [...remotes].slice(0, MAX_REMOTES).map(([name, url]) => ({ name, url }))
}

/**
 * Makes the repository know exactly these remotes, so that a task's branch can be pushed from it. Unsafe ones are
 * skipped and returned. Idempotent.
 */
export async function recordRemotes({
  repoPath,
  remotes,
  signal,
}: {
  repoPath: string
  remotes: readonly Remote[]
  signal?: AbortSignal | undefined
}): Promise<{ skipped: Remote[] }> {
  if (remotes.length > MAX_REMOTES) {
    throw new AppError({
      code: 'too_large',
      message: `More than ${MAX_REMOTES} remotes.`,
      hint: 'Remove remotes that are not used.',
    })
  }
  const skipped: Remote[] = []
  const known = new Map((await listRemotes({ cwd: repoPath, signal })).map(({ name, url }) => [name, url]))
  for (const remote of remotes) {
    if (!isSafeRemote(remote)) {
      skipped.push(remote)
      continue
    }
    const url = stripCredentials(remote.url)
    if (known.get(remote.name) === url) continue
    const key = `remote.${remote.name}`
    const set = (args: string[]) => writeConfig({ repoPath, args, signal })
    // The url comes last: it is what says next time that all is set.
    await set([`${key}.fetch`, `+refs/heads/*:refs/remotes/${remote.name}/*`])
    await set([`${key}.url`, url])
  }
  return { skipped }
}

const CONFIG_ATTEMPTS = 20

async function writeConfig({
  repoPath,
  args,
  signal,
}: {
  repoPath: string
  args: string[]
  signal: AbortSignal | undefined
}): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runGit({ cwd: repoPath, signal, args: ['config', '--replace-all', ...args] })
      return
    } catch (error) {
      // git does not wait for another process that is writing the same file.
      if (!(error instanceof AppError) || error.code !== 'git.failed' || attempt >= CONFIG_ATTEMPTS)
        throw error
      await delay(10 + Math.random() * 40, undefined, signal === undefined ? {} : { signal })
    }
  }
}
