import { open } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { FULL_SHA } from './revision.ts'

/** What stands in front of the pack in a bundle file (format: gitformat-bundle(5), versions 2 and 3). */
export interface BundleHeader {
  objectFormat: 'sha1' | 'sha256'
  /** Commits the receiver must have already. */
  prerequisites: string[]
  tips: { sha: string; ref: string }[]
  /** Where the pack begins, in bytes. */
  packOffset: number
}

const HEADER_MAX_BYTES = 1024 * 1024
const MAX_LINES = 10_000

/** The header of a version 2 bundle (3 for sha256 repositories) with one tip. */
export function formatBundleHeader({
  commit,
  ref,
  prerequisites,
  objectFormat,
}: {
  commit: string
  ref: string
  prerequisites: readonly string[]
  objectFormat: 'sha1' | 'sha256'
}): string {
  const head = objectFormat === 'sha1' ? '# v2 git bundle\n' : '# v3 git bundle\n@object-format=sha256\n'
  return `${head}${prerequisites.map((sha) => `-${sha} \n`).join('')}${commit} ${ref}\n\n`
}

/** Reads and checks the header of a bundle file; throws git.bad_bundle for anything that is not one. */
export async function readBundleHeader(bundlePath: string): Promise<BundleHeader> {
  const file = await open(bundlePath, 'r')
  try {
    const buffer = Buffer.alloc(Math.min(HEADER_MAX_BYTES, (await file.stat()).size))
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return parseBundleHeader(buffer.subarray(0, filled))
  } finally {
    await file.close()
  }
}

/** Reads and checks the header at the beginning of `bytes`; throws git.bad_bundle. */
export function parseBundleHeader(bytes: Buffer): BundleHeader {
  const end = bytes.indexOf('\n\n')
  if (!/^# v[23] git bundle\n/.test(bytes.subarray(0, 16).toString('latin1')) || end < 0)
    throw badBundle('it is not a git bundle')
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(1)
  if (lines.length > MAX_LINES) throw badBundle('its header is too long')
  const header: BundleHeader = { objectFormat: 'sha1', prerequisites: [], tips: [], packOffset: end + 2 }
  for (const line of lines) readLine(header, line)
  const width = header.objectFormat === 'sha1' ? 40 : 64
  const shas = [...header.prerequisites, ...header.tips.map(({ sha }) => sha)]
  if (shas.some((sha) => sha.length !== width)) throw badBundle('it mixes object formats')
  if (header.tips.length === 0) throw badBundle('it names no commit')
  return header
}

function readLine(header: BundleHeader, line: string): void {
  if (line.startsWith('@')) {
    const format = /^@object-format=(sha1|sha256)$/.exec(line)
    if (format === null)
      throw badBundle(`it needs a capability that is not supported (${JSON.stringify(line.slice(0, 60))})`)
    header.objectFormat = format[1] === 'sha256' ? 'sha256' : 'sha1'
    return
  }
  if (line.startsWith('-')) {
    const sha = line.slice(1).split(' ')[0] ?? ''
    if (!FULL_SHA.test(sha)) throw badBundle('its header is damaged')
    header.prerequisites.push(sha)
    return
  }
  const space = line.indexOf(' ')
  const tip = { sha: line.slice(0, space), ref: line.slice(space + 1) }
  if (space < 0 || !FULL_SHA.test(tip.sha)) throw badBundle('its header is damaged')
  if (!isSaneRef(tip.ref))
    throw badBundle(`it names a ref that is not allowed (${JSON.stringify(tip.ref.slice(0, 60))})`)
  header.tips.push(tip)
}

function isSaneRef(ref: string): boolean {
  if (ref === 'HEAD') return true

  if (!ref.startsWith('refs/') || ref.length > 500 || /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(ref))
    return false
  return ref
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.') && !part.endsWith('.lock'))
}

/** The error for a bundle that cannot be taken; `why` completes "The bundle was refused: …". */
export function badBundle(why: string, cause?: unknown): AppError {
  return new AppError(
    {
      code: 'git.bad_bundle',
      message: `The bundle of commits was refused: ${why}. Nothing was changed.`,
      hint: 'Send it again. If it is refused again, run `git fsck` in the repository it came from.',
    },
    { cause },
  )
}
