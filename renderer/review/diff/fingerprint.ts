import type { DiffFile } from './parse.ts'

const prints = new WeakMap<DiffFile, string>()

/** A short fingerprint of what a file's diff says, to know whether a viewed file has changed since. */
export function fingerprint(file: DiffFile): string {
  const known = prints.get(file) ?? printOf(file)
  prints.set(file, known)
  return known
}

function printOf(file: DiffFile): string {
  let hash = 5_381
  for (const hunk of file.hunks)
    for (const line of hunk.lines) {
      hash = ((hash * 33) ^ line.kind.charCodeAt(0)) >>> 0
      for (let at = 0; at < line.text.length; at += 1) hash = ((hash * 33) ^ line.text.charCodeAt(at)) >>> 0
    }
  return `${file.change} ${file.hunks.length} ${hash.toString(36)}`
}
