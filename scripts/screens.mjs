// `npm run screens`: takes a picture of every screen of the desk in every state, light and dark, in both languages and two sizes,
// into screens/, with a page on which they are looked through. Fails when something is clipped, covered or outside.
//   npm run screens -- --state review --variant 900-dark    only those whose name has these words
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { useFitNode } from './fit-node.mjs'
import { installPrograms } from './system.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)

const missing = await installPrograms({
  who: 'The pictures need',
  otherwise: 'Install it, then run this again:',
  names: ['git', 'tmux', 'chromium', 'a Chinese font'],
})
if (missing.length > 0) process.exit(1)
const build = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] })
if (build.status !== 0) process.exit(1)
const run = spawnSync(
  process.execPath,
  [
    '--experimental-strip-types',
    '--no-warnings',
    path.join(root, 'tests/screens/run.ts'),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exit(run.status ?? 1)
