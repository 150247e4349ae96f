import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes sure the calling script runs on a Node that can run Handoff (22.15 or newer: the SQLite addon crashes on older
 * ones). On an unfit Node it starts the script again on the one installed by `npm ci`, or says what to install.
 */
export function useFitNode(root) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 15)) return
  const pinned = pinnedNode(root)
  if (!pinned) {
    console.error(
      `This needs Node.js 22.15 or newer, but runs on ${process.version}, and no pinned Node was found in ` +
        'node_modules. On Linux run "npm ci" first (it brings one); elsewhere install a newer Node.js.',
    )
    process.exit(1)
  }
  const again = spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' })
  process.exit(again.status ?? 1)
}

/** The Node that npm installed as an optional package, if it runs on this processor. */
function pinnedNode(root) {
  const modules = path.join(root, 'node_modules')
  if (!existsSync(modules)) return undefined
  return readdirSync(modules)
    .filter((name) => name.startsWith('node-linux-'))
    .map((name) => path.join(modules, name, 'bin/node'))
    .find((file) => existsSync(file) && spawnSync(file, ['-e', '0']).status === 0)
}
