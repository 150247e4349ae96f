import { open, rename, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { formatBundleHeader } from './bundle-header.ts'
import { findRepository } from './repository.ts'
import { assertFullSha, commitsPresent, resolveCommit } from './revision.ts'
import { runGit, streamGit } from './run.ts'

/** What `createBundle` did. `sizeBytes` and `commits` say what travels. */
export type BundleOutcome =
  | { kind: 'nothing_to_send' }
  | { kind: 'written'; sizeBytes: number; commits: number; prerequisites: string[] }

interface CreateCall {
  repoPath: string
  /** Full sha of the commit that shall arrive. */
  commit: string
  /** Full shas the receiver has; those unknown here are ignored. */
  haves: readonly string[]
  bundlePath: string
  /** Default 8 GiB; a larger bundle is `too_large` and leaves no file. */
  maxBytes?: number
  signal?: AbortSignal | undefined
}

const MAX_HAVES = 5_000
const PACK_TIMEOUT_MS = 60 * 60_000
/** Larger files are streamed instead of being compared with others: six of 10 MiB took 14 s and not 3.5 s, for nothing gained. */
const BIG_FILES = 'core.bigFileThreshold=4m'

/**
 * Writes an incremental git bundle of `commit` against what the receiver has, without making a ref or changing anything
 * here. The file appears whole or not at all; memory stays bounded. Any git can read it (`git bundle verify`).
 * Throws git.unknown_revision, git.shallow (the history needed is not here), too_large, disk_full.
 */
export async function createBundle(call: CreateCall): Promise<BundleOutcome> {
  assertFullSha(call.commit)
  const { repoPath, signal } = call
  const commit = await resolveCommit({ cwd: repoPath, revision: call.commit, signal })
  const haves = await commitsPresent({ cwd: repoPath, shas: call.haves.slice(0, MAX_HAVES), signal })
  const { shallow, objectFormat, commonDir } = await findRepository({ cwd: repoPath, signal })
  const revisions = `${commit}\n${haves.map((sha) => `^${sha}\n`).join('')}`
  const { commits, prerequisites } = await rangeOf({ repoPath, revisions, signal })
  if (commits === 0) return { kind: 'nothing_to_send' }
  if (shallow) await refuseCutHistory({ repoPath, commonDir, revisions, signal })
  const header = formatBundleHeader({ commit, ref: 'refs/handoff/commit', prerequisites, objectFormat })
  const sizeBytes = await writeBundle(call, header, revisions)
  return { kind: 'written', sizeBytes, commits, prerequisites }
}

/** Counts the commits of a range and finds the commits just outside it, streaming. */
async function rangeOf({
  repoPath,
  revisions,
  signal,
}: {
  repoPath: string
  revisions: string
  signal: AbortSignal | undefined
}): Promise<{ commits: number; prerequisites: string[] }> {
  let commits = 0
  let rest = ''
  const prerequisites: string[] = []
  const args = ['rev-list', '--boundary', '--stdin']
  await streamGit({ cwd: repoPath, signal, args, input: revisions, timeoutMs: 10 * 60_000 }, (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('-')) prerequisites.push(line.slice(1))
      else commits += 1
    }
    return 'more'
  })
  return { commits, prerequisites }
}

async function refuseCutHistory({
  repoPath,
  commonDir,
  revisions,
  signal,
}: {
  repoPath: string
  commonDir: string
  revisions: string
  signal: AbortSignal | undefined
}): Promise<void> {
  // Commits without a parent that git says are cut, not roots: their raw text still names parents.
  const args = ['rev-list', '--max-parents=0', '--stdin']
  const { stdout } = await runGit({ cwd: repoPath, signal, args, input: revisions })
  for (const sha of stdout.split('\n').filter(Boolean)) {
    const raw = await runGit({ cwd: commonDir, signal, args: ['cat-file', 'commit', sha] })
    if (!/^parent /m.test(raw.stdout.split('\n\n')[0] ?? '')) continue
    throw new AppError({
      code: 'git.shallow',
      message: 'This is a shallow clone: the history that the host needs is not here.',
      hint: 'Run `git fetch --unshallow` in this repository, then try again.',
    })
  }
}

async function writeBundle(call: CreateCall, header: string, revisions: string): Promise<number> {
  const maxBytes = call.maxBytes ?? 8 * 1024 ** 3
  const partPath = `${call.bundlePath}.${randomUUID().slice(0, 8)}.part`
  const file = await open(partPath, 'wx', 0o600)
  let sizeBytes = 0
  const write = async (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
    await file.writeFile(chunk)
    return 'more' as const
  }
  try {
    await write(Buffer.from(header))
    // The options `git bundle create` uses; going around it spares a ref in the person's repository.
    const args = [
      '-c',
      BIG_FILES,
      'pack-objects',
      '--stdout',
      '--thin',
      '--delta-base-offset',
      '--revs',
      '--quiet',
    ]
    const { repoPath: cwd, signal } = call
    await streamGit({ cwd, signal, args, input: revisions, timeoutMs: PACK_TIMEOUT_MS }, write)
    await file.sync()
    await file.close()
    await rename(partPath, call.bundlePath)
    return sizeBytes
  } catch (error) {
    await file.close()
    await rm(partPath, { force: true })
    throw diskFullOr(error)
  }
}

/** Turns a full disk into its AppError; hands anything else back. */
export function diskFullOr(error: unknown): unknown {
  if ((error as { code?: unknown } | null)?.code !== 'ENOSPC') return error
  const sentence = { message: 'The disk is full.', hint: 'Free some space, then try again.' }
  return new AppError({ code: 'disk_full', ...sentence }, { cause: error })
}

function tooLarge(maxBytes: number): AppError {
  return new AppError({
    code: 'too_large',
    message: `The commits to send are larger than ${Math.round(maxBytes / 1024 ** 2)} MiB.`,
    hint: 'Push the large part to a remote that the host can fetch from, or raise the limit.',
  })
}
