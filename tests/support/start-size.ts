import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const renderer = path.resolve(import.meta.dirname, '../../dist/renderer')

/** Bytes of the built window after gzip. */
export interface StartSize {
  /** Scripts that are loaded before anything is drawn: the entry and all that it imports statically. */
  scripts: { name: string; sizeBytes: number }[]
  /** Style sheets of the start. */
  cssBytes: number
  /** Everything else that may be loaded later. */
  laterBytes: number
}

/** Measures dist/renderer as index.html names it. Throws when the window was not built. */
export function measureStart(): StartSize {
  const html = readFileSync(path.join(renderer, 'index.html'), 'utf8')
  const entries = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? '')
  const scripts = new Set<string>()
  for (const file of entries.filter((name) => name.endsWith('.js'))) follow(file, scripts)
  const styles = entries.filter((name) => name.endsWith('.css'))
  const others = readdirSync(path.join(renderer, 'assets'))
    .map((name) => `assets/${name}`)
    .filter((name) => !scripts.has(name) && !styles.includes(name))
  return {
    scripts: [...scripts].map((name) => ({ name: path.basename(name), sizeBytes: gzipBytes(name) })),
    cssBytes: sum(styles.map(gzipBytes)),
    laterBytes: sum(others.map(gzipBytes)),
  }
}

/** The scripts of the start together. */
export function scriptBytes({ scripts }: StartSize): number {
  return sum(scripts.map(({ sizeBytes }) => sizeBytes))
}

/** Adds a script and what it imports statically; `import()` has a bracket behind it and is not followed. */
function follow(file: string, found: Set<string>): void {
  if (found.has(file)) return
  found.add(file)
  const text = readFileSync(path.join(renderer, file), 'utf8')
  for (const [, name] of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    follow(`assets/${name ?? ''}`, found)
}

function gzipBytes(file: string): number {
  return gzipSync(readFileSync(path.join(renderer, file)), { level: 9 }).length
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
