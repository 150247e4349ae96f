import { build } from 'esbuild'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What is bundled together, by the name in dist/. What one of them cannot be built of keeps only its own group old. */
const GROUPS = [
  {
    cli: 'cli/main.ts',
    agentd: 'agentd/main.ts',
    pane: 'agentd/executors/pane.ts',
    'demo-executor': 'agentd/executors/demo/program.ts',
  },
  { 'browser-host': 'electron/browser-host/main.ts', 'pty-host': 'electron/pty-host/main.ts' },
  { main: 'electron/main.ts' },
]
const PRELOAD = { preload: 'electron/preload/preload.ts' }

const common = {
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node22',
  sourcemap: true,
  logLevel: 'warning',
  // Native addons, and packages that load their own files by path.
  external: ['better-sqlite3', 'pino', 'node-pty', 'electron', 'electron-updater'],
}
/**
 * `import` of node:http reads every member of it, also those for which Node loads its whole fetch: ten times the time of
 * `require`, in every program at every start.
 */
const requireHttp = {
  name: 'require-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ kind, path: name }) =>
      kind === 'import-statement' ? { path: name, namespace: 'require' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'require' }, ({ path: name }) => ({
      contents: `module.exports = require('${name}')`,
    }))
  },
}
const esm = {
  ...common,
  format: 'esm',
  plugins: [requireHttp],
  // Some bundled CommonJS packages call require() for node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
}

/** The steps that bundle the programs into `dist`. */
export function programSteps({ root, dist }) {
  return [
    ...GROUPS.map((entries) => () => bundle({ root, dist, entries, options: esm })),
    // A preload script in Electron's sandbox is CommonJS.
    () =>
      bundle({
        root,
        dist,
        entries: PRELOAD,
        options: { ...common, format: 'cjs', outExtension: { '.js': '.cjs' } },
      }),
  ]
}

async function bundle({ root, dist, entries, options }) {
  const entryPoints = Object.fromEntries(
    Object.entries(entries)
      .map(([name, file]) => [name, path.join(root, file)])
      .filter(([, file]) => existsSync(file)),
  )
  if (Object.keys(entryPoints).length === 0) return
  const { outputFiles } = await build({ ...options, entryPoints, outdir: dist })
  mkdirSync(dist, { recursive: true })
  // Each file is replaced at once: a program that is being started while a build runs finds the old one or the new one.
  for (const { path: file, contents } of outputFiles) {
    const next = `${file}.${process.pid}`
    writeFileSync(next, contents)
    renameSync(next, file)
  }
}
