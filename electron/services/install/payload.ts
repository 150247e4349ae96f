import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../../shared/errors.ts'
import type { Installation } from '../platform.ts'
import type { TarEntry } from './tar-writer.ts'

/** A kind of machine, as better-sqlite3 names its prebuilt parts. */
export interface RemotePlatform {
  system: 'linux' | 'linuxmusl' | 'darwin'
  arch: 'x64' | 'arm64'
}

/** What is sent to a host. `build` is the version and the beginning of a hash over everything in it. */
export interface Payload {
  build: string
  entries: TarEntry[]
  sizeBytes: number
  hasNode: boolean
}

const PROGRAMS = ['cli.js', 'agentd.js', 'pane.js', 'demo-executor.js']
/** The last file of the archive: where it is, everything is. */
const COMPLETE = 'complete'
const packageSchema = z.object({
  version: z.string().max(64),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/**
 * Gathers what a machine of a platform needs: the programs, the native part of SQLite for it, the logger and, when asked
 * for, Node. Throws `file_not_found` where this installation does not have the parts for that platform.
 */
export function gatherPayload({
  installation,
  platform,
  withNode,
}: {
  installation: Installation
  platform: RemotePlatform
  withNode: boolean
}): Payload {
  const { dist, version } = installation
  const entries: TarEntry[] = [
    ...distFiles(dist),
    file('bin/handoff', installation.command, 0o755),
    ...sqliteFiles(dist, platform),
    ...packageFiles(dist, 'pino'),
    { kind: 'text', name: 'package.json', mode: 0o644, text: manifestText(version) },
  ]
  if (withNode) entries.push(file('node/bin/node', requireNode(installation, platform), 0o755))
  const build = `${version}-${hashOf(entries)}`
  entries.push({ kind: 'text', name: COMPLETE, mode: 0o644, text: `${build}\n` })
  const sizeBytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  return { build, entries, sizeBytes, hasNode: withNode }
}

/** The Node of this installation that runs on a platform, if there is one. */
export function nodeFor(installation: Installation, platform: RemotePlatform): string | undefined {
  if (platform.system === 'linux') {
    const found = findUp(installation.dist, `node-linux-${platform.arch}`)
    const program = found === undefined ? undefined : path.join(found, 'bin', 'node')
    if (program !== undefined && existsSync(program)) return program
  }
  const isAlike = platform.system === process.platform && platform.arch === process.arch && !existsMusl()
  return isAlike && existsSync(installation.node) ? installation.node : undefined
}

function requireNode(installation: Installation, platform: RemotePlatform): string {
  const node = nodeFor(installation, platform)
  if (node === undefined) throw missingPart(`Node.js for ${platform.system} ${platform.arch}`)
  return node
}

function distFiles(dist: string): TarEntry[] {
  const loaded = readdirSync(dist).filter((name) => name.endsWith('.wasm'))
  return [...PROGRAMS, ...loaded.sort()].map((name) => file(`dist/${name}`, path.join(dist, name), 0o644))
}

/** better-sqlite3 without its sources, and with the one addon that the platform loads. */
function sqliteFiles(dist: string, { system, arch }: RemotePlatform): TarEntry[] {
  const folder = requirePackage(dist, 'better-sqlite3')
  const addon = path.join(folder, 'prebuilds', `${system}-${arch}.node`)
  if (!existsSync(addon)) throw missingPart(`SQLite for ${system} ${arch}`)
  const inside = 'node_modules/better-sqlite3'
  return [
    file(`${inside}/package.json`, path.join(folder, 'package.json'), 0o644),
    ...folderFiles(path.join(folder, 'lib'), `${inside}/lib`),
    file(`${inside}/prebuilds/${system}-${arch}.node`, addon, 0o755),
  ]
}

/** A package and what it depends on, side by side, without what is not loaded at run time. */
function packageFiles(dist: string, name: string, seen = new Set<string>()): TarEntry[] {
  if (seen.has(name)) return []
  seen.add(name)
  const folder = requirePackage(dist, name)
  const { dependencies } = packageSchema.parse(
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
  )
  return [
    ...folderFiles(folder, `node_modules/${name}`),
    ...Object.keys(dependencies).flatMap((one) => packageFiles(dist, one, seen)),
  ]
}

const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'test',
  'tests',
  'docs',
  'benchmarks',
  'examples',
  'browser-test',
])

function folderFiles(folder: string, inside: string): TarEntry[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name)
      const name = `${inside}/${entry.name}`
      if (entry.isDirectory())
        return SKIPPED_FOLDERS.has(entry.name) || entry.name.startsWith('.') ? [] : folderFiles(full, name)
      return /\.(c?js|mjs|json)$/.test(entry.name) ? [file(name, full, 0o644)] : []
    })
}

function requirePackage(dist: string, name: string): string {
  const found = findUp(dist, name)
  if (found === undefined) throw missingPart(`the package ${name}`)
  return found
}

/** A package as Node would find it from a folder. */
function findUp(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name)
    if (existsSync(path.join(candidate, 'package.json'))) return candidate
    if (folder === path.dirname(folder)) return undefined
  }
}

function file(name: string, from: string, mode: number): TarEntry {
  if (!existsSync(from)) throw missingPart(path.basename(from))
  return { kind: 'file', name, mode, path: from, sizeBytes: statSync(from).size }
}

const sizeOf = (entry: TarEntry): number =>
  entry.kind === 'text' ? Buffer.byteLength(entry.text) : entry.sizeBytes

function hashOf(entries: readonly TarEntry[]): string {
  const hash = createHash('sha256')
  for (const entry of entries) {
    hash.update(`${entry.name}\0${entry.mode}\0${sizeOf(entry)}\0`)
    hash.update(entry.kind === 'text' ? entry.text : readFileSync(entry.path))
  }
  return hash.digest('hex').slice(0, 10)
}

const manifestText = (version: string): string =>
  `${JSON.stringify({ name: 'handoff', version, private: true, type: 'module' }, null, 2)}\n`

const existsMusl = (): boolean =>
  process.platform === 'linux' && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'))

function missingPart(what: string): AppError {
  return new AppError({
    code: 'file_not_found',
    message: `This installation of Handoff does not carry ${what}.`,
    hint: 'Install Handoff on that machine by hand (npm), then add it again.',
  })
}
