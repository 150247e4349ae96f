import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createBundle } from '../git/bundle-create.ts'
import { readIdentity } from '../git/identity.ts'
import { uploadFile } from '../host-client/upload.ts'
import type { Call } from '../host-client/pending-calls.ts'

/** Where sending stands. */
export type SendProgress =
  { step: 'asking' | 'packing' | 'unpacking' } | { step: 'sending'; sentBytes: number; totalBytes: number }

/** What was sent so that the host has the commit. */
export interface SentCode {
  /** The host's name of its clone. */
  key: string
  sentBytes: number
}

/**
 * Makes sure that a host has a commit: asks what it has, packs what is missing and sends it over the same connection.
 * Nothing is pushed anywhere. `onProgress` hears each step.
 */
export async function sendCode({
  client,
  repoPath,
  commit,
  signal,
  onProgress,
}: {
  client: { call: Call }
  repoPath: string
  commit: string
  signal: AbortSignal
  onProgress: (progress: SendProgress) => void
}): Promise<SentCode> {
  onProgress({ step: 'asking' })
  const { identity, remotes, name } = await readIdentity({ cwd: repoPath, signal })
  const located = await client.call(
    'repo.locate',
    {
      name: name || basename(repoPath),
      roots: identity.roots.slice(0, 20),
      remotes: remotes.slice(0, 20),
      want: commit,
    },
    { signal },
  )
  if (located.hasWanted) return { key: located.key, sentBytes: 0 }
  const folder = await mkdtemp(join(tmpdir(), 'handoff-send-'))
  try {
    onProgress({ step: 'packing' })
    const bundlePath = join(folder, 'send.bundle')
    const bundle = await createBundle({ repoPath, commit, haves: located.haves, bundlePath, signal })
    if (bundle.kind === 'nothing_to_send') return { key: located.key, sentBytes: 0 }
    const uploadId = await uploadFile({
      call: client.call,
      path: bundlePath,
      signal,
      onProgress: (sentBytes, totalBytes) => onProgress({ step: 'sending', sentBytes, totalBytes }),
    })
    onProgress({ step: 'unpacking' })
    await client.call('repo.receive', { key: located.key, uploadId, commit }, { signal })
    return { key: located.key, sentBytes: bundle.sizeBytes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
