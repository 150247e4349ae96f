// Bundles the programs and the window into dist/. Takes about a second when the window has not changed, so every script
// that needs them just runs it.
//   node scripts/build.mjs --no-renderer     the programs only
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { programSteps } from './build/programs.mjs'
import { buildRenderer } from './build/renderer.mjs'
import { useFitNode } from './fit-node.mjs'

const startedMs = performance.now()
const root = path.dirname(import.meta.dirname)
const dist = path.join(root, 'dist')
const require = createRequire(import.meta.url)
useFitNode(root)

mkdirSync(dist, { recursive: true })
for (const file of ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'])
  copyFileSync(require.resolve(file), path.join(dist, path.basename(file)))
const steps = programSteps({ root, dist })
if (!process.argv.includes('--no-renderer')) steps.push(() => buildRenderer({ root, dist }))
for (const step of steps)
  await step().catch((error) => {
    // esbuild has shown where; vite's message has it.
    console.error(error.message)
    process.exitCode = 1
  })
// Only to whoever asked for nothing else: npm start and the others go on with something of their own.
if (process.exitCode === undefined && process.env.npm_lifecycle_event === 'build')
  console.log(`Built in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s: ${dist}`)
