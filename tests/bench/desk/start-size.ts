// What a browser has to load before the window can be drawn, after gzip. The baseline is React alone.
import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { measureStart, scriptBytes } from '../../support/start-size.ts'
import { root } from '../support/agentd.ts'
import { report } from '../support/report.ts'

const { outputFiles } = await build({
  stdin: {
    contents: "import { createRoot } from 'react-dom/client'; createRoot(document.body)",
    resolveDir: root,
  },
  bundle: true,
  minify: true,
  write: false,
  define: { 'process.env.NODE_ENV': '"production"' },
})
const reactBytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
const start = measureStart()
for (const { name, sizeBytes } of start.scripts) process.stderr.write(`  ${name} ${sizeBytes} B\n`)
report({
  case: 'script of the start, gzip',
  unit: 'kB',
  value: scriptBytes(start) / 1_000,
  baseline: reactBytes / 1_000,
  goal: { of: 'value', atMost: 300 },
})
report({ case: 'style sheets of the start, gzip', unit: 'kB', value: start.cssBytes / 1_000 })
report({ case: 'everything that is loaded later, gzip', unit: 'kB', value: start.laterBytes / 1_000 })
