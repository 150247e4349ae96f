import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Builds the window into `dist/renderer`, unless what it is made of is what it was at the last build. New files come first,
 * then index.html is replaced in one step, then what nothing names any more goes: a page that loads meanwhile is whole.
 */
export async function buildRenderer({ root, dist }) {
  if (!existsSync(path.join(root, 'renderer/index.html'))) return
  const target = path.join(dist, 'renderer')
  const stamp = path.join(dist, 'renderer.inputs')
  const inputs = hashOfInputs(root)
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs
  if (current && existsSync(path.join(target, 'index.html'))) return
  // Loading vite takes longer than everything else here, so only a build that is needed does it.
  const { build } = await import('vite')
  const fresh = path.join(dist, `renderer.${process.pid}`)
  try {
    await build({
      configFile: path.join(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh },
    })
    replace(fresh, target)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  writeFileSync(stamp, inputs)
}

function replace(fresh, target) {
  const files = filesBelow(fresh).filter((file) => file !== 'index.html')
  for (const file of [...files, 'index.html']) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true })
    renameSync(path.join(fresh, file), path.join(target, file))
  }
  const wanted = new Set([...files, 'index.html'])
  for (const file of filesBelow(target)) if (!wanted.has(file)) rmSync(path.join(target, file))
}

function hashOfInputs(root) {
  const hash = createHash('sha256')
  const sources = ['renderer', 'shared'].flatMap((folder) =>
    filesBelow(path.join(root, folder))
      .filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('node/'))
      .map((file) => path.join(folder, file)),
  )
  for (const file of [...sources.sort(), 'vite.config.ts', 'package-lock.json']) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}

/** Every file of a folder, by its path from there. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}
