import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { repositoryKey, sameRepository, type RepositoryIdentity } from './identity.ts'
import { recordRemotes } from './remotes.ts'
import type { Remote } from './remote-url.ts'
import { runGit } from './run.ts'

/** A host's own bare clone of somebody's repository. */
export interface HostClone {
  path: string
  key: string
  created: boolean
  /** Remotes that were refused because their url or name is not plain. */
  skippedRemotes: Remote[]
}

const IDENTITY_FILE = 'handoff-identity.json'

const identitySchema = z.object({
  roots: z.array(z.string().regex(/^[0-9a-f]{40,64}$/)).max(64),
  remotes: z.array(z.string().max(2_000)).max(50),
})

interface OpenCall {
  home: string
  identity: RepositoryIdentity
  name: string
  remotes: readonly Remote[]
  objectFormat?: 'sha1' | 'sha256'
  signal?: AbortSignal | undefined
}

/**
 * The host's clone for a repository, `<home>/repos/<key>.git`: the one recognised by root commits and remotes, else a new
 * empty one. It appears whole or not at all; two callers at once get the same. Its remotes are set, so a task's branch
 * can be pushed from its worktrees; nothing is fetched.
 */
export async function openHostClone({
  home,
  identity,
  name,
  remotes,
  objectFormat = 'sha1',
  signal,
}: OpenCall): Promise<HostClone> {
  const known = await findHostClone({ home, identity })
  const key = known?.key ?? repositoryKey({ identity, name })
  const path = known?.path ?? join(home, 'repos', `${key}.git`)
  const created = known === undefined && (await makeClone({ home, path, identity, objectFormat, signal }))
  const { skipped } = await recordRemotes({ repoPath: path, remotes, signal })
  return { path, key, created, skippedRemotes: skipped }
}

/** The existing clone that is the same repository, or undefined. */
export async function findHostClone({
  home,
  identity,
}: {
  home: string
  identity: RepositoryIdentity
}): Promise<{ path: string; key: string } | undefined> {
  const folder = join(home, 'repos')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.sort()) {
    if (!name.endsWith('.git')) continue
    const recorded = await readRecorded(join(folder, name, IDENTITY_FILE))
    if (recorded !== undefined && sameRepository(recorded, identity))
      return { path: join(folder, name), key: name.slice(0, -4) }
  }
  return undefined
}

async function readRecorded(path: string): Promise<RepositoryIdentity | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return identitySchema.safeParse(JSON.parse(text)).data
  } catch (error) {
    // A damaged record is as good as none: the repository then gets a new clone beside it.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function makeClone({
  home,
  path,
  identity,
  objectFormat,
  signal,
}: {
  home: string
  path: string
  identity: RepositoryIdentity
  objectFormat: string
  signal: AbortSignal | undefined
}): Promise<boolean> {
  await mkdir(join(home, 'repos'), { recursive: true, mode: 0o700 })
  const part = await mkdtemp(join(home, 'repos', '.new-'))
  try {
    const init = [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--object-format=${objectFormat}`,
      '--initial-branch=main',
      '.',
    ]
    await runGit({ cwd: part, signal, args: init })
    for (const [name, value] of [
      ['transfer.fsckObjects', 'true'],
      // Branches are made by tasks and die with gc otherwise leaving no trace of what an agent did.
      ['core.logAllRefUpdates', 'true'],
    ] as const) {
      await runGit({ cwd: part, signal, args: ['config', name, value] })
    }
    await writeFile(join(part, IDENTITY_FILE), JSON.stringify(identitySchema.parse(identity)), {
      mode: 0o600,
    })
    await rename(part, path)
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}
