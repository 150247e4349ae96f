// `npm run package`: builds everything and makes the packages of this system in release/.
//   npm run package -- --dir                   the app as a folder only
//   npm run package -- --arm64                 for another processor (docs/packaging.md says what that needs)
//   npm run package -- --unsigned              without a certificate, for trying it out on this machine
//   npm run package -- -c.electronDist=<dir>   with an Electron that is there already
// Further arguments go to electron-builder.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { useFitNode } from './fit-node.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)

const OWN = ['--unsigned', '--no-build']
const given = process.argv.slice(2)
const args = given.filter((arg) => !OWN.includes(arg))
const environment = { ...process.env }
if (given.includes('--unsigned')) {
  environment.CSC_IDENTITY_AUTO_DISCOVERY = 'false'
  // Without a team the system's library check, part of the hardened runtime, refuses Electron's own framework.
  args.push('-c.mac.hardenedRuntime=false')
}
const arch = args.includes('--arm64') ? 'arm64' : args.includes('--x64') ? 'x64' : process.arch
if (!args.some((arg) => /^(-c|--config)\.electronDist=/.test(arg))) args.push(...ownElectron())
if (!given.includes('--no-build')) run(path.join(root, 'scripts/build.mjs'), [])
run(path.join(root, 'node_modules/electron-builder/cli.js'), [
  ...args,
  `--${arch}`,
  '--publish',
  'never',
  '--projectDir',
  root,
])

/** The Electron that npm's package of it fetches, which is this machine's; electron-builder fetches those of others itself. */
function ownElectron() {
  if (arch !== process.arch) return []
  const folder = path.join(root, 'node_modules/electron')
  const dist = environment.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(folder, 'dist')
  if (!existsSync(dist)) {
    const fetched = spawnSync(process.execPath, [path.join(folder, 'install.js')], { encoding: 'utf8' })
    if (fetched.status !== 0 || !existsSync(dist)) {
      console.error(
        'No package was made: Electron’s program is not here and could not be fetched (about 100 MB from github.com):\n' +
          `  ${lastLine(fetched.stderr)}\n` +
          'Try again with a connection, set ELECTRON_MIRROR to a mirror, or give the folder of one: ' +
          'npm run package -- -c.electronDist=<folder>',
      )
      process.exit(1)
    }
  }
  return [`-c.electronDist=${dist}`]
}

function run(script, scriptArgs) {
  const { status } = spawnSync(process.execPath, [script, ...scriptArgs], {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** The line that says why; the rest is where in the code. */
function lastLine(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
  return lines.find((line) => /Error|error/.test(line))?.trim() ?? lines.at(-1)?.trim() ?? 'it said nothing'
}
