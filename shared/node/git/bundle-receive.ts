import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { badBundle, readBundleHeader, type BundleHeader } from './bundle-header.ts'
import { withQuarantine } from './object-quarantine.ts'
import { findRepository } from './repository.ts'
import { assertFullSha, commitsPresent } from './revision.ts'
import { runGit } from './run.ts'

interface ReceiveCall {
  repoPath: string
  bundlePath: string
  /** Full sha of the commit that the bundle must bring. */
  commit: string
  signal?: AbortSignal | undefined
}

/** Where the commit stands after `receiveBundle`. `already_here`: the bundle was not needed. */
export type ReceiveOutcome = { kind: 'received' | 'already_here'; commit: string; ref: string }

const RECEIVE_TIMEOUT_MS = 60 * 60_000

/**
 * Faults that old but harmless histories have; everything else that git's fsck finds refuses the bundle.
 * (`--strict=<id>=<level>`: the option behind fetch.fsck.*.)
 */
const TOLERATED = [
  'zeroPaddedFilemode',
  'missingSpaceBeforeDate',
  'badTimezone',
  'missingNameBeforeEmail',
  'missingEmail',
  'missingTaggerEntry',
]

/** The ref that keeps a received commit from being collected as garbage. */
export function incomingRef(commit: string): string {
  assertFullSha(commit)
  return `refs/handoff/incoming/${commit}`
}

/**
 * Takes the commits of a bundle file into a repository (a host's clone or the dispatching repository) and keeps them alive
 * with `incomingRef`. Objects are checked by git's fsck in a quarantine of their own, and the commit's whole history must
 * be there, before the first file of the repository changes. Names in the bundle are never used.
 * Throws git.bad_bundle; `prerequisites missing` is told with the commits in `details.missing`.
 */
export async function receiveBundle({
  repoPath,
  bundlePath,
  commit,
  signal,
}: ReceiveCall): Promise<ReceiveOutcome> {
  const ref = incomingRef(commit)
  const { commonDir, objectFormat } = await findRepository({ cwd: repoPath, signal })
  if (await isComplete(commonDir, commit, signal)) {
    await keep({ commonDir, commit, ref, signal })
    return { kind: 'already_here', commit, ref }
  }
  const header = await readBundleHeader(bundlePath)
  await checkHeader({ header, commit, objectFormat, commonDir, signal })
  await mkdir(join(commonDir, 'objects', 'pack'), { recursive: true })
  await withQuarantine(commonDir, async ({ path, env }) => {
    await indexPack({ commonDir, bundlePath, packOffset: header.packOffset, env, signal })
    await checkConnected({ commonDir, commit, env, signal })
    await migratePacks(join(path, 'pack'), join(commonDir, 'objects', 'pack'))
    await keep({ commonDir, commit, ref, signal })
  })
  return { kind: 'received', commit, ref }
}

/** Lets go of a received commit that a branch holds by now. */
export async function dropIncoming({
  repoPath,
  commit,
  signal,
}: {
  repoPath: string
  commit: string
  signal?: AbortSignal | undefined
}): Promise<void> {
  await runGit({ cwd: repoPath, signal, args: ['update-ref', '--no-deref', '-d', incomingRef(commit)] })
}

async function checkHeader({
  header,
  commit,
  objectFormat,
  commonDir,
  signal,
}: {
  header: BundleHeader
  commit: string
  objectFormat: string
  commonDir: string
  signal: AbortSignal | undefined
}): Promise<void> {
  if (header.objectFormat !== objectFormat)
    throw badBundle(`it holds ${header.objectFormat} objects, this repository ${objectFormat}`)
  if (!header.tips.some(({ sha }) => sha === commit))
    throw badBundle(`it does not bring the commit ${commit}`)
  const present = new Set(await commitsPresent({ cwd: commonDir, shas: header.prerequisites, signal }))
  const missing = header.prerequisites.filter((sha) => !present.has(sha))
  if (missing.length === 0) return
  throw new AppError({
    code: 'git.bad_bundle',
    message: `The bundle builds on ${missing.length} commit(s) that are not here, for example ${missing[0]}. Nothing was changed.`,
    hint: 'Ask again what this side has and send a bundle made for it.',
    details: { missing: missing.slice(0, 100) },
  })
}

async function indexPack({
  commonDir,
  bundlePath,
  packOffset,
  env,
  signal,
}: {
  commonDir: string
  bundlePath: string
  packOffset: number
  env: Record<string, string>
  signal: AbortSignal | undefined
}): Promise<void> {
  const strict = `--strict=${TOLERATED.map((id) => `${id}=ignore`).join(',')}`
  const input = createReadStream(bundlePath, { start: packOffset })
  // Larger files are checked as a stream, without holding them in memory.
  const args = ['-c', 'core.bigFileThreshold=16m', 'index-pack', '--stdin', '--fix-thin', strict]
  await runGit({ cwd: commonDir, signal, args, input, env, timeoutMs: RECEIVE_TIMEOUT_MS }).catch(
    (error: unknown) => {
      throw isGitFailure(error) ? badBundle('its contents are damaged or incomplete', error) : error
    },
  )
}

async function checkConnected({
  commonDir,
  commit,
  env,
  signal,
}: {
  commonDir: string
  commit: string
  env: Record<string, string>
  signal: AbortSignal | undefined
}): Promise<void> {
  // The check of git-receive-pack: everything reachable from the commit and from no ref of ours must be here.
  const args = ['rev-list', '--objects', '--quiet', commit, '--not', '--all']
  await runGit({ cwd: commonDir, signal, args, env, timeoutMs: RECEIVE_TIMEOUT_MS }).catch(
    (error: unknown) => {
      throw isGitFailure(error) ? badBundle('parts of its history are missing', error) : error
    },
  )
}

async function migratePacks(from: string, to: string): Promise<void> {
  const names = await readdir(from)
  // A pack counts for git once its .idx is there, so that comes last.
  const sorted = names.filter((name) => !name.startsWith('tmp_')).sort((a, b) => rank(a) - rank(b))
  for (const name of sorted) await rename(join(from, name), join(to, name))
}

function rank(name: string): number {
  return name.endsWith('.idx') ? 2 : name.endsWith('.pack') ? 1 : 0
}

async function isComplete(
  commonDir: string,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if ((await commitsPresent({ cwd: commonDir, shas: [commit], signal })).length === 0) return false
  // The commit object alone may be here without its history (left over from an interrupted fetch).
  const args = ['rev-list', '--objects', '--quiet', commit, '--not', '--all']
  return (
    (await runGit({ cwd: commonDir, signal, args, alsoOk: [128], timeoutMs: RECEIVE_TIMEOUT_MS }))
      .exitCode === 0
  )
}

async function keep({
  commonDir,
  commit,
  ref,
  signal,
}: {
  commonDir: string
  commit: string
  ref: string
  signal: AbortSignal | undefined
}): Promise<void> {
  await runGit({ cwd: commonDir, signal, args: ['update-ref', '--no-deref', ref, commit] })
}

function isGitFailure(error: unknown): boolean {
  return error instanceof AppError && error.code === 'git.failed'
}
