import { runGit } from './run.ts'

/** Uncommitted changes of a working tree, as paths from its top folder. A path can stand in two lists. */
export interface Changes {
  staged: string[]
  unstaged: string[]
  untracked: string[]
  /** Left from a merge that is not finished. */
  unmerged: string[]
  /** Changed submodules (new commits or changes inside): a limit, they do not travel. */
  submodules: string[]
}

interface StatusCall {
  cwd: string
  signal?: AbortSignal | undefined
}

/** Reads the working tree's uncommitted changes; ignored files are no change. Cost: one stat per tracked file. */
export async function readChanges({ cwd, signal }: StatusCall): Promise<Changes> {
  return parseStatus(await statusText({ cwd, signal }, 'utf8'))
}

/** As `readChanges`, with every path as its raw bytes in latin1, for handing them back to git. */
export async function readRawChanges({ cwd, signal }: StatusCall): Promise<Changes> {
  return parseStatus(await statusText({ cwd, signal }, 'latin1'))
}

/** Whether there is anything uncommitted (untracked files count, ignored ones do not). */
export function isDirty(changes: Changes): boolean {
  return allChangedPaths(changes).length > 0
}

/** Every changed path once, sorted. */
export function allChangedPaths({ staged, unstaged, untracked, unmerged, submodules }: Changes): string[] {
  return [...new Set([...staged, ...unstaged, ...untracked, ...unmerged, ...submodules])].sort()
}

async function statusText({ cwd, signal }: StatusCall, encoding: 'utf8' | 'latin1'): Promise<string> {
  // `-c status.*`: the person's settings must not hide files. Renames off: two plain paths, old and new.
  const args = ['-c', 'status.relativePaths=false', 'status', '--porcelain=v2', '-z']
  args.push(
    '--untracked-files=all',
    '--ignored=no',
    '--no-renames',
    '--ignore-submodules=none',
    '--no-ahead-behind',
  )
  const { stdout } = await runGit({
    cwd,
    signal,
    args,
    encoding,
    maxBytes: 64 * 1024 * 1024,
    timeoutMs: 120_000,
  })
  return stdout
}

/** Reads `git status --porcelain=v2 -z --no-renames` (format: git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(text: string): Changes {
  const changes: Changes = { staged: [], unstaged: [], untracked: [], unmerged: [], submodules: [] }
  const entries = text.split('\0')
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? ''
    const kind = entry[0]
    if (kind === '?') changes.untracked.push(entry.slice(2))
    else if (kind === 'u') changes.unmerged.push(afterFields(entry, 10))
    else if (kind === '1') addTracked(changes, entry, afterFields(entry, 8))
    else if (kind === '2') {
      addTracked(changes, entry, afterFields(entry, 9))
      index += 1
      changes.staged.push(entries[index] ?? '')
    }
  }
  return changes
}

function addTracked(changes: Changes, entry: string, path: string): void {
  // `1 XY sub …`: X is the index against HEAD, Y the working tree against the index, sub is N... or S<c><m><u>.
  if (entry[5] === 'S') {
    changes.submodules.push(path)
    return
  }
  if (entry[2] !== '.') changes.staged.push(path)
  if (entry[3] !== '.') changes.unstaged.push(path)
}

function afterFields(entry: string, count: number): string {
  let at = 0
  for (let field = 0; field < count; field += 1) at = entry.indexOf(' ', at) + 1
  return entry.slice(at)
}
