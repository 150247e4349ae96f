import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'

/** What a full disk does not take is kept up to here; more is dropped. */
const MAX_WAITING_CHARS = 1024 * 1024

/** Where a log goes. */
export interface LogFile {
  /** Writes a line at once. Never throws: a disk that fails costs the log and not the desk. */
  write(line: string): void
}

/**
 * A file (0600) that several processes may append to. Before it grows beyond `maxBytes` it becomes `<path>.1`, that one `<path>.2` and so
 * on, up to `keep` older files; whoever still writes to a file that was moved goes on in the new one.
 */
export function createLogFile({
  path,
  maxBytes,
  keep,
}: {
  path: string
  maxBytes: number
  keep: number
}): LogFile {
  let file: number | undefined
  let waiting = ''

  function rotate(): void {
    for (let number = keep - 1; number >= 1; number -= 1)
      if (existsSync(`${path}.${number}`)) renameSync(`${path}.${number}`, `${path}.${number + 1}`)
    renameSync(path, `${path}.1`)
  }

  function close(): void {
    if (file !== undefined) closeSync(file)
    file = undefined
  }

  function append(text: string): void {
    const there = statSync(path, { throwIfNoEntry: false })
    const isFull = there !== undefined && there.size > 0 && there.size + Buffer.byteLength(text) > maxBytes
    if (isFull) rotate()
    if (isFull || there === undefined || (file !== undefined && fstatSync(file).ino !== there.ino)) close()
    if (file === undefined) {
      file = openSync(path, 'a', 0o600)
      // A copy or a restore may have loosened it.
      if ((fstatSync(file).mode & 0o077) !== 0) chmodSync(path, 0o600)
    }
    writeSync(file, text)
  }

  return {
    write(line) {
      const text = waiting + line
      try {
        append(text)
        waiting = ''
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) throw error
        // There is no place where it could be said.
        if (text.length <= MAX_WAITING_CHARS) waiting = text
      }
    },
  }
}
