import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { runGit } from './run.ts'

/** Checking out a very large repository takes minutes on a slow disk. */
const CHECKOUT_TIMEOUT_MS = 30 * 60_000
/** Where running processes cannot be looked at, a lock this old counts as left behind. */
const STALE_LOCK_MS = 60_000

/**
 * Fills a worktree that was added without a checkout, unless that is done. git writes the index last, so a worktree
 * without one is not complete. A checkout that outlived the process which began it is waited for, one that was killed
 * is done again.
 */
export async function completeCheckout({
  path,
  signal,
}: {
  path: string
  signal?: AbortSignal | undefined
}): Promise<void> {
  const { stdout } = await runGit({ cwd: path, signal, args: ['rev-parse', '--absolute-git-dir'] })
  const index = join(stdout.replace(/\n$/, ''), 'index')
  const lock = `${index}.lock`
  const deadlineMs = performance.now() + CHECKOUT_TIMEOUT_MS
  while (!existsSync(index)) {
    if (existsSync(lock)) {
      if (performance.now() < deadlineMs && (await isHeld(path, lock))) {
        await delay(100, undefined, signal === undefined ? {} : { signal })
        continue
      }
      if (!existsSync(index)) await rm(lock, { force: true })
    }
    await runGit({
      cwd: path,
      signal,
      args: ['reset', '--hard', '--quiet'],
      timeoutMs: CHECKOUT_TIMEOUT_MS,
    }).catch((error: unknown) => {
      // Another git took the lock between the look and the start: look again.
      if (!(error instanceof AppError) || error.code !== 'git.failed' || !existsSync(lock)) throw error
    })
  }
}

/** Whether a git is at work in this folder. */
async function isHeld(path: string, lock: string): Promise<boolean> {
  const processes = await readdir('/proc').catch(() => undefined)
  if (processes === undefined) {
    const info = await stat(lock).catch(() => undefined)
    return info !== undefined && Date.now() - info.mtimeMs < STALE_LOCK_MS
  }
  for (const pid of processes) {
    if (!/^\d+$/.test(pid) || (await readlink(`/proc/${pid}/cwd`).catch(() => '')) !== path) continue
    if ((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).startsWith('git')) return true
  }
  return false
}
