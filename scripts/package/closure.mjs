import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The folders of some packages and of everything they need at run time, by their paths from `root`, as Node would find them.
 * Those in `without` and optional ones that are not installed are left out; a missing one that is needed is an error.
 */
export function packageClosure(root, names, without = []) {
  const found = new Set()
  const visit = (from, name, isOptional) => {
    if (without.includes(name)) return
    const folder = findPackage(root, from, name)
    if (folder === undefined) {
      if (isOptional) return
      throw new Error(`The package ${name} is not installed. Run "npm ci" first.`)
    }
    if (found.has(folder)) return
    found.add(folder)
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
    for (const one of Object.keys(manifest.dependencies ?? {})) visit(folder, one, false)
    for (const one of Object.keys(manifest.optionalDependencies ?? {})) visit(folder, one, true)
  }
  for (const name of names) visit('.', name, false)
  return [...found].sort()
}

function findPackage(root, from, name) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name)
    if (existsSync(path.join(root, candidate, 'package.json'))) return candidate
    if (folder === '.') return undefined
  }
}
