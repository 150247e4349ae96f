import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { packageClosure } from './closure.mjs'

/** What the programs load as packages; the rest is bundled into them. */
const PACKAGES = ['better-sqlite3', 'node-pty', 'pino']
/** Headers for compiling an addon, which nothing here does. */
const BUILD_ONLY = ['node-addon-api']
const PROGRAMS = ['cli', 'agentd', 'pane', 'demo-executor', 'browser-host', 'pty-host']
const SKIPPED =
  /^(test|tests|fixtures|docs|benchmarks|examples|scripts|deps|third_party|typings|prebuilds|node_modules)$/
const LOADED = /(?<!^(?:test|bench|benchmark|eslint\.config))\.(c?js|mjs|json)$|^licen[cs]e/i
/** Machines that "install on host" brings agentd to: their SQLite goes along, by name of the prebuilt file. */
const HOSTS = /^(linux|linuxmusl|darwin)-(x64|arm64)\.node$/

/**
 * Puts the part of the app that runs on plain Node into `target`, laid out as the project is: bin/handoff, dist/ and
 * node_modules/, and the Node for them in node/. `build` in it names its version and content.
 */
export function writeHostPart({ root, target, platform, arch, node }) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const dist = path.join(root, 'dist')
  const loaded = readdirSync(dist).filter((name) => name.endsWith('.wasm'))
  for (const name of [...PROGRAMS.map((program) => `${program}.js`), ...loaded.sort()])
    copy(path.join(dist, name), path.join(target, 'dist', name))
  cpSync(path.join(dist, 'renderer'), path.join(target, 'dist/renderer'), { recursive: true })
  for (const folder of packageClosure(root, PACKAGES, BUILD_ONLY))
    copyPackage(path.join(root, folder), path.join(target, folder))
  copyNatives({ root, target, platform, arch })
  const command = platform === 'win32' ? 'bin/handoff.cmd' : 'bin/handoff'
  copy(path.join(root, command), path.join(target, command), 0o755)
  copy(node, path.join(target, platform === 'win32' ? 'node/node.exe' : 'node/bin/node'), 0o755)
  const manifest = { name: 'handoff', version, private: true, type: 'module' }
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(path.join(target, 'build'), `${version}-${hashOf(target)}\n`)
}

/** Only what Node loads, without the native parts. */
function copyPackage(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) {
      if (!SKIPPED.test(entry.name) && !entry.name.startsWith('.')) copyPackage(source, target)
    } else if (LOADED.test(entry.name)) copy(source, target)
  }
}

function copyNatives({ root, target, platform, arch }) {
  const sqlite = 'node_modules/better-sqlite3/prebuilds'
  for (const name of readdirSync(path.join(root, sqlite)))
    if (HOSTS.test(name) || name === `${platform}-${arch}.node`)
      copy(path.join(root, sqlite, name), path.join(target, sqlite, name))
  const pty = `node_modules/node-pty/prebuilds/${platform}-${arch}`
  cpSync(path.join(root, pty), path.join(target, pty), {
    recursive: true,
    filter: (file) => !file.endsWith('.pdb'),
  })
}

function copy(from, to, mode) {
  mkdirSync(path.dirname(to), { recursive: true })
  copyFileSync(from, to)
  if (mode !== undefined) chmodSync(to, mode)
}

const READ_BELOW_BYTES = 8_000_000

/** Names the content. Node is named by its size: reading it would take longer than all the rest. */
function hashOf(folder) {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = path.join(folder, name)
    const info = statSync(file)
    if (!info.isFile()) continue
    hash.update(`${name}\0${info.size}\0`)
    if (info.size < READ_BELOW_BYTES) hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 10)
}
