import { watch } from 'node:fs'
import path from 'node:path'

/** Where the system cannot watch files, and for desks that ended without a word, it is looked all the same this often. */
const LOOK_EVERY_MS = 3_000
const GATHER_MS = 20

/** Calls `look` soon after any process has written to a SQLite file, and every few seconds; answers how to stop. */
export function watchDatabase(file: string, look: () => void): () => void {
  const name = path.basename(file)
  let soon: NodeJS.Timeout | undefined
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  const heard = (_event: string, changed: string | null) => {
    // What is written lies in the log beside the file first. Some systems do not name the file.
    if (changed !== null && changed !== name && changed !== `${name}-wal`) return
    soon ??= setTimeout(() => {
      soon = undefined
      look()
    }, GATHER_MS)
  }
  const stop = watchFolder(path.dirname(file), heard)
  return () => {
    stop()
    clearInterval(timer)
    clearTimeout(soon)
  }
}

function watchFolder(folder: string, heard: (event: string, file: string | null) => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, heard)
    // The timer looks, too.
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return () => undefined
    throw error
  }
}
