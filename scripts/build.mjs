// Bundles the two programs into dist/. Takes under a second, so every script that needs them just runs it.
import { build } from 'esbuild'
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const dist = path.join(root, 'dist')
const require = createRequire(import.meta.url)

const { outputFiles } = await build({
  entryPoints: {
    cli: path.join(root, 'cli/main.ts'),
    agentd: path.join(root, 'agentd/main.ts'),
    pane: path.join(root, 'agentd/executors/pane.ts'),
    'demo-executor': path.join(root, 'agentd/executors/demo/program.ts'),
  },
  outdir: dist,
  write: false,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: true,
  logLevel: 'warning',
  // better-sqlite3 is a native addon; pino loads its own files by path.
  external: ['better-sqlite3', 'pino'],
  // Some bundled CommonJS packages call require() for node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})
mkdirSync(dist, { recursive: true })
// Each file is replaced at once: a program that is being started while a build runs finds the old one or the new one.
for (const { path: file, contents } of outputFiles) {
  const next = `${file}.${process.pid}`
  writeFileSync(next, contents)
  renameSync(next, file)
}
copyFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm'), path.join(dist, 'web-tree-sitter.wasm'))
copyFileSync(
  require.resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
  path.join(dist, 'tree-sitter-bash.wasm'),
)
