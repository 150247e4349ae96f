// `npm start`: builds, and opens the desk. In Electron where its binary is there and a display exists, otherwise in the browser
// (`handoff ui`, whose address is printed). Arguments go to `handoff ui`; `--browser` takes the browser in any case.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { useFitNode } from './fit-node.mjs'
import { installPrograms } from './system.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)

const args = process.argv.slice(2)
const missing = await installPrograms({
  who: 'Tasks need',
  otherwise: 'The desk opens without it, but no task can be started on this machine until it is there:',
  names: ['git', 'tmux'],
  ask: process.stdin.isTTY === true,
})
if (missing.length > 0) console.error('')
const build = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] })
if (build.status !== 0) process.exit(1)

const wantsBrowser = args.includes('--browser')
const obstacle = whyNoElectron()
if (!wantsBrowser && obstacle !== undefined) console.error(`The desk opens in the browser: ${obstacle}\n`)
const [program, programArgs] =
  wantsBrowser || obstacle !== undefined
    ? [path.join(root, 'bin/handoff'), ['ui', ...args.filter((arg) => arg !== '--browser')]]
    : [electronBinary(), [root, ...args]]
const desk = spawn(program, programArgs, { stdio: 'inherit' })
// Ctrl-C reaches it from the terminal too; this waits until it has ended in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => desk.kill(signal))
desk.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))

/** Why the desk cannot be a window of its own here; undefined when it can. */
function whyNoElectron() {
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!display) return 'there is no display here.'
  if (!existsSync(electronBinary()))
    return (
      'Electron’s program is not here. To fetch it (about 100 MB from github.com):\n' +
      `  ${path.basename(process.execPath)} ${path.join('node_modules', 'electron', 'install.js')}\nthen run npm start again.`
    )
  if (!existsSync(path.join(root, 'dist/main.js'))) return 'its window program was not built.'
  if (process.platform === 'linux' && process.getuid() === 0)
    return 'Electron’s sandbox does not work for root.'
  return undefined
}

/** Where Electron's program is, or would be. */
function electronBinary() {
  const folder = path.join(root, 'node_modules/electron')
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(folder, 'dist')
  const named = path.join(folder, 'path.txt')
  const usual = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
  return path.join(
    dist,
    existsSync(named) ? readFileSync(named, 'utf8') : (usual[process.platform] ?? 'electron'),
  )
}
