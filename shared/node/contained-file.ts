import { constants } from 'node:fs'
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { AppError } from '../errors.ts'

/** A file's content and its path from the root after all links were followed. */
export interface ContainedFile {
  bytes: Buffer
  path: string
  sizeBytes: number
  executable: boolean
}

/**
 * Reads a regular file inside a folder and nothing outside of it: links may point only within, `.git` is closed, and where
 * the opened file lies is checked after opening, so that swapping a folder for a link meanwhile gains nothing.
 * Throws path_outside, file_not_found, not_a_file, too_large.
 */
export async function readContainedFile({
  root,
  path,
  maxBytes,
}: {
  root: string
  path: string
  maxBytes: number
}): Promise<ContainedFile> {
  refuseBadPath(path)
  const realRoot = await realpath(root).catch(() => {
    throw notFound(root)
  })
  const target = await realpath(resolve(realRoot, path)).catch((error: NodeJS.ErrnoException) => {
    // A link loop and an unreadable folder are as good as not there.
    throw error.code === 'ENAMETOOLONG' ? outside(path) : notFound(path)
  })
  const inside = insidePath(realRoot, target)
  if (inside === undefined) throw outside(path)
  const file = await openPlain(target, path)
  try {
    await assertStillInside({ file, realRoot, target, path })
    const info = await file.stat()
    if (!info.isFile()) throw notAFile(path)
    if (info.size > maxBytes) throw tooLarge(path, maxBytes)
    const bytes = await readUpTo(file, maxBytes, path)
    return { bytes, path: inside, sizeBytes: bytes.length, executable: (info.mode & 0o111) !== 0 }
  } finally {
    await file.close()
  }
}

function refuseBadPath(path: string): void {
  const parts = path.split(/[/\\]/)
  if (path === '' || path.length > 4_096 || path.includes('\0') || isAbsolute(path) || parts.includes('..'))
    throw outside(path)
}

/** The path of `target` from `root`, or undefined when it lies outside or in a `.git`. */
function insidePath(root: string, target: string): string | undefined {
  const inside = relative(root, target)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
  // Case is ignored because macOS folders do.
  return inside.split(sep).some((part) => part.toLowerCase() === '.git') ? undefined : inside
}

async function openPlain(target: string, path: string): Promise<FileHandle> {
  // Without O_NONBLOCK opening a named pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const info = await stat(target).catch(() => undefined)
  if (info === undefined) throw notFound(path)
  if (!info.isFile()) throw notAFile(path)
  return open(target, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw outside(path)
    if (error.code === 'ENXIO') throw notAFile(path)
    if (error.code === 'EACCES' || error.code === 'ENOENT' || error.code === 'ENOTDIR') throw notFound(path)
    throw error
  })
}

async function assertStillInside({
  file,
  realRoot,
  target,
  path,
}: {
  file: FileHandle
  realRoot: string
  target: string
  path: string
}): Promise<void> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
  if (opened !== undefined) {
    if (insidePath(realRoot, opened) === undefined) throw outside(path)
    return
  }
  // Without /proc (macOS): the name must still lead to the very file that is open, and from inside.
  const again = await realpath(target).catch(() => undefined)
  const [a, b] = [await file.stat(), await stat(target).catch(() => undefined)]
  const same = b !== undefined && a.dev === b.dev && a.ino === b.ino
  if (!same || again === undefined || insidePath(realRoot, again) === undefined) throw outside(path)
}

async function readUpTo(file: FileHandle, maxBytes: number, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, size)
    if (bytesRead === 0) return Buffer.concat(chunks)
    size += bytesRead
    // It may have grown since its size was looked at.
    if (size > maxBytes) throw tooLarge(path, maxBytes)
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

function outside(path: string): AppError {
  return new AppError({
    code: 'path_outside',
    message: `${JSON.stringify(path.slice(0, 200))} is not a file inside the worktree.`,
    hint: 'Name a path from the top of the worktree, without `..`; links that lead out and .git are closed.',
  })
}

function notFound(path: string): AppError {
  const message = `There is no readable file ${JSON.stringify(path.slice(0, 200))}.`
  return new AppError({
    code: 'file_not_found',
    message,
    hint: 'Look at the names with `handoff diff TASK --name-only`.',
  })
}

function notAFile(path: string): AppError {
  const message = `${JSON.stringify(path.slice(0, 200))} is not a plain file.`
  return new AppError({ code: 'not_a_file', message, hint: 'Name a file, not a folder or a device.' })
}

function tooLarge(path: string, maxBytes: number): AppError {
  const message = `${JSON.stringify(path.slice(0, 200))} is larger than ${maxBytes} bytes.`
  return new AppError({
    code: 'too_large',
    message,
    hint: 'Copy it from the host by other means, or commit it and pull the branch.',
  })
}
