import { mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that exists until `dispose` is called. */
export type TempDir = { path: string; dispose(): Promise<void> }

/** Makes an empty temporary folder. Its path is real (no symlinks) and short enough for a Unix socket inside it. */
export async function createTempDir(prefix = 'ho-'): Promise<TempDir> {
  const dir = await realpath(await mkdtemp(path.join(await tempRoot(), prefix)))
  return {
    path: dir,
    // A process that is just ending may still write while the folder is removed.
    dispose: () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  }
}

/** The path of an empty temporary folder that is removed when the running test ends. Call it inside a test. */
export async function tempDirForTest(prefix?: string): Promise<string> {
  const dir = await createTempDir(prefix)
  onTestFinished(dir.dispose)
  return dir.path
}

/** macOS hands out temporary folders of about 50 characters; a socket's path may have 104 in all. */
async function tempRoot(): Promise<string> {
  const root = await realpath(os.tmpdir())
  return root.length <= 40 ? root : realpath('/tmp')
}
