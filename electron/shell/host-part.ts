import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import type { Installation } from '../services/platform.ts'

/** Where a packaged app carries what runs on plain Node, and where it may be kept instead. */
export interface HostPlaces {
  /** `host` in the app's resources (scripts/package/host-part.mjs lays it out). */
  carried: string
  /** A folder of the person's home. */
  kept: string
  /** Whether the app's files are gone when it ends: an AppImage is a file that is mounted while it runs. */
  isPassing: boolean
}

/**
 * The host part that is there after the app has ended: the one that is carried, or a copy in the home where the app is only
 * mounted. A copy is made once for each build and is whole from the moment it has its name. Programs of the build before may
 * still run, so its copy stays; older ones go.
 */
export function lastingHost({ carried, kept, isPassing }: HostPlaces): string {
  if (!isPassing) return carried
  const build = readFileSync(path.join(carried, 'build'), 'utf8').trim()
  const copy = path.join(kept, build)
  const current = path.join(kept, 'current')
  if (!existsSync(copy)) {
    mkdirSync(kept, { recursive: true, mode: 0o700 })
    const next = path.join(kept, `.next-${process.pid}`)
    cpSync(carried, next, { recursive: true })
    const before = existsSync(current) ? readFileSync(path.join(current, 'build'), 'utf8').trim() : undefined
    for (const name of readdirSync(kept))
      if (![before, 'current', path.basename(next)].includes(name))
        rmSync(path.join(kept, name), { recursive: true, force: true })
    renameSync(next, copy)
  }
  // A link is replaced in one step: a command that is being started finds the old build or the new one.
  const link = path.join(kept, `.current-${process.pid}`)
  rmSync(link, { force: true })
  symlinkSync(build, link)
  renameSync(link, current)
  return current
}

/** The programs of a host part. Where `host` is a link the command keeps its place; the other paths are those of the build. */
export function hostPrograms(
  host: string,
  platform: NodeJS.Platform,
): Pick<Installation, 'node' | 'dist' | 'command'> {
  const isWindows = platform === 'win32'
  const build = realpathSync(host)
  return {
    node: path.join(build, isWindows ? 'node/node.exe' : 'node/bin/node'),
    dist: path.join(build, 'dist'),
    command: path.join(host, isWindows ? 'bin/handoff.cmd' : 'bin/handoff'),
  }
}
