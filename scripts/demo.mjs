// `npm run demo`: sees to what the demo needs from the system (git, tmux), builds, and plays it. Arguments go to `handoff demo`;
// with `--executor opencode` the real opencode is fetched first, the one that the tests drive.
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { useFitNode } from './fit-node.mjs'
import { installPrograms } from './system.mjs'
import { installExecutors } from './test/executors.mjs'

const root = path.dirname(import.meta.dirname)
useFitNode(root)

const args = process.argv.slice(2)
const missing = await installPrograms({
  who: 'The demo needs',
  otherwise: 'Install it, then run the demo again:',
  names: ['git', 'tmux'],
  ask: process.stdin.isTTY === true && !args.includes('--auto'),
})
if (missing.length > 0) process.exit(1)
if (args.some((arg) => arg === 'opencode' || arg === '--executor=opencode')) installExecutors(root)
const build = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--no-renderer'], {
  stdio: ['ignore', 2, 2],
})
if (build.status !== 0) process.exit(1)

const demo = spawn(path.join(root, 'bin/handoff'), ['demo', ...args], { stdio: 'inherit' })
// The demo gets Ctrl-C from the terminal too, and cleans up; this waits for it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => demo.kill(signal))
demo.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
