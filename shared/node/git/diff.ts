import { parseFileChanges, parseShortStat, type FileChange } from './diff-parse.ts'
import { snapshotTree } from './dirty.ts'
import { withQuarantine } from './object-quarantine.ts'
import { findRepository } from './repository.ts'
import { resolveCommit } from './revision.ts'
import { streamGit } from './run.ts'

/**
 * What to compare: two revisions as they are (a round is its commit before and after), or a revision with the working tree
 * including everything uncommitted and untracked.
 */
export interface DiffCall {
  cwd: string
  from: string
  to: string | { workingTree: true }
  signal?: AbortSignal | undefined
}

const DIFF_TIMEOUT_MS = 5 * 60_000

/** Streams the diff as text (UTF-8 or whatever bytes the files have), at most `maxBytes`; binary files are named only. */
export async function streamDiff(
  call: DiffCall & { maxBytes: number },
  onChunk: (chunk: Buffer) => void | Promise<void>,
): Promise<{ truncated: boolean; sizeBytes: number }> {
  return bounded(call, ['--patch'], call.maxBytes, onChunk)
}

/** The diff as one string, at most `maxBytes` (cut at a line when longer). */
export async function diffText(
  call: DiffCall & { maxBytes: number },
): Promise<{ text: string; truncated: boolean }> {
  return collect(call, ['--patch'], call.maxBytes)
}

/** What `git diff --stat` prints, 100 columns wide, at most 1 MiB. */
export async function diffStat(call: DiffCall): Promise<{ text: string; truncated: boolean }> {
  return collect(call, ['--stat=100'], 1024 * 1024)
}

/** How many files and lines differ. */
export async function diffTotals(call: DiffCall): Promise<{ files: number; added: number; removed: number }> {
  return parseShortStat((await collect(call, ['--shortstat'], 4_096)).text)
}

/** Every changed file with its numbers, at most `maxFiles` (default 10 000). */
export async function diffFiles(
  call: DiffCall & { maxFiles?: number },
): Promise<{ files: FileChange[]; truncated: boolean }> {
  const chunks: Buffer[] = []
  const args = ['--raw', '--numstat', '-z']
  const { truncated } = await bounded(call, args, 64 * 1024 * 1024, (chunk) => void chunks.push(chunk))
  const files = parseFileChanges(Buffer.concat(chunks).toString('utf8'))
  const maxFiles = call.maxFiles ?? 10_000
  return { files: files.slice(0, maxFiles), truncated: truncated || files.length > maxFiles }
}

/** The changed paths (new names), at most `maxFiles` (default 10 000). */
export async function diffNames(
  call: DiffCall & { maxFiles?: number },
): Promise<{ paths: string[]; truncated: boolean }> {
  const chunks: Buffer[] = []
  const { truncated } = await bounded(
    call,
    ['--name-only', '-z'],
    64 * 1024 * 1024,
    (chunk) => void chunks.push(chunk),
  )
  const paths = Buffer.concat(chunks).toString('utf8').split('\0').filter(Boolean)
  const maxFiles = call.maxFiles ?? 10_000
  return { paths: paths.slice(0, maxFiles), truncated: truncated || paths.length > maxFiles }
}

async function bounded(
  call: DiffCall,
  format: string[],
  maxBytes: number,
  onChunk: (chunk: Buffer) => void | Promise<void>,
): Promise<{ truncated: boolean; sizeBytes: number }> {
  const { cwd, signal } = call
  const from = await resolveCommit({ cwd, revision: call.from, signal })
  if (typeof call.to === 'string') {
    const to = await resolveCommit({ cwd, revision: call.to, signal })
    return runDiff({ cwd, from, to, signal, format, maxBytes, onChunk, env: {} })
  }
  const { topLevel = cwd, commonDir } = await findRepository({ cwd, signal })
  const base = await resolveCommit({ cwd, revision: 'HEAD', signal })
  // Laying the files over HEAD's tree shows untracked files too, which `git diff` alone never does. The objects made for
  // it are thrown away again, so that looking often does not fill the repository.
  return withQuarantine(commonDir, async ({ env }) => {
    const overlay = {
      top: topLevel,
      base,
      maxBytes: 512 * 1024 ** 2,
      conflicts: 'as_they_lie',
      env,
      signal,
    } as const
    const { tree } = await snapshotTree(overlay)
    return runDiff({ cwd: topLevel, from, to: tree, signal, format, maxBytes, onChunk, env })
  })
}

interface DiffRun {
  cwd: string
  from: string
  to: string
  format: string[]
  maxBytes: number
  onChunk: (chunk: Buffer) => void | Promise<void>
  env: Record<string, string>
  signal: AbortSignal | undefined
}

async function runDiff({ cwd, from, to, format, maxBytes, onChunk, env, signal }: DiffRun) {
  // Nothing the repository configures may run or change the shape: no external diff, no text conversion.
  const shape = [
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--submodule=short',
    '--ignore-submodules=none',
  ]
  shape.push('--src-prefix=a/', '--dst-prefix=b/', '--no-relative')
  const args = ['-c', 'diff.orderFile=/dev/null', 'diff', ...shape, ...format, from, to, '--']
  let sizeBytes = 0
  let truncated = false
  await streamGit({ cwd, signal, args, env, timeoutMs: DIFF_TIMEOUT_MS }, async (chunk) => {
    const room = maxBytes - sizeBytes
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    sizeBytes += part.length
    if (part.length > 0) await onChunk(part)
    truncated = part.length < chunk.length
    return truncated ? 'stop' : 'more'
  })
  return { truncated, sizeBytes }
}

async function collect(
  call: DiffCall,
  format: string[],
  maxBytes: number,
): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = []
  const { truncated } = await bounded(call, format, maxBytes, (chunk) => void chunks.push(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  return { text: truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text, truncated }
}
