import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createBundle } from '../../shared/node/git/bundle-create.ts'
import { readIdentity } from '../../shared/node/git/identity.ts'
import { uploadFile } from '../../shared/node/host-client/upload.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { size } from '../output/time.ts'

/** What was sent so that the host has the commit. */
export interface SentCode {
  /** The host's name of its clone. */
  key: string
  sentBytes: number
}

/**
 * Makes sure that a host has a commit: asks what it has, packs what is missing and sends it over the same connection.
 * Nothing is pushed anywhere. `onProgress` hears the bytes sent so far.
 */
export async function sendCode({
  client,
  repoPath,
  commit,
  signal,
  onProgress,
}: {
  client: HostClient
  repoPath: string
  commit: string
  signal: AbortSignal
  onProgress: (text: string) => void
}): Promise<SentCode> {
  onProgress('Asking the host what it has')
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
    onProgress('Packing the commits the host lacks')
    const bundlePath = join(folder, 'send.bundle')
    const bundle = await createBundle({ repoPath, commit, haves: located.haves, bundlePath, signal })
    if (bundle.kind === 'nothing_to_send') return { key: located.key, sentBytes: 0 }
    const uploadId = await uploadFile({
      call: client.call,
      path: bundlePath,
      signal,
      onProgress: (sent, whole) =>
        onProgress(`Sending commits: ${Math.floor((sent / whole) * 100)} % of ${size(whole)}`),
    })
    onProgress('The host unpacks')
    await client.call('repo.receive', { key: located.key, uploadId, commit }, { signal })
    return { key: located.key, sentBytes: bundle.sizeBytes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
