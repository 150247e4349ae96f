import { open, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createBundle } from '../../shared/node/git/bundle-create.ts'
import { readIdentity } from '../../shared/node/git/identity.ts'
import { CHUNK_BYTES } from '../../shared/protocol/call-spec.ts'
import type { HostClient } from '../hosts/host-client.ts'

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
    const uploadId = await upload({
      client,
      path: bundlePath,
      sizeBytes: bundle.sizeBytes,
      signal,
      onProgress,
    })
    onProgress('The host unpacks')
    await client.call('repo.receive', { key: located.key, uploadId, commit }, { signal })
    return { key: located.key, sentBytes: bundle.sizeBytes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function upload({
  client,
  path,
  sizeBytes,
  signal,
  onProgress,
}: {
  client: HostClient
  path: string
  sizeBytes: number
  signal: AbortSignal
  onProgress: (text: string) => void
}): Promise<string> {
  const { uploadId } = await client.call('upload.begin', { sizeBytes }, { signal })
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    for (let offset = 0; offset < sizeBytes;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, offset)
      const data = buffer.subarray(0, bytesRead).toString('base64')
      await client.call('upload.chunk', { uploadId, offset, data }, { signal })
      offset += bytesRead
      onProgress(
        `Sending commits: ${Math.floor((offset / sizeBytes) * 100)} % of ${(sizeBytes / 1024 ** 2).toFixed(1)} MiB`,
      )
    }
  } catch (error) {
    // Best effort: a host drops forgotten uploads by itself.
    await client.call('upload.drop', { uploadId }).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
  return uploadId
}
