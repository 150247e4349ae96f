/** One changed file. `added`/`deleted` are lines; both 0 and `binary` for a binary file. */
export interface FileChange {
  path: string
  /** The former name of a renamed or copied file. */
  oldPath?: string
  added: number
  deleted: number
  binary: boolean
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed' | 'unmerged'
  /** Its executable bit or kind (file, link, submodule) is different. */
  modeChanged: boolean
}

const STATUS: Record<string, FileChange['status']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
  U: 'unmerged',
}

/** Reads `git diff --raw --numstat -z` (formats: git-diff(1), "Raw output format" and "Other diff formats"). */
export function parseFileChanges(text: string): FileChange[] {
  const fields = text.split('\0')
  const files = new Map<string, FileChange>()
  let at = 0
  for (; fields[at]?.startsWith(':'); at += 1) {
    const [oldMode = '', newMode = '', , , letter = ''] = (fields[at] ?? '').slice(1).split(' ')
    const renamed = letter.startsWith('R') || letter.startsWith('C')
    const oldPath = fields[at + 1] ?? ''
    const path = renamed ? (fields[at + 2] ?? '') : oldPath
    at += renamed ? 2 : 1
    const exists = letter !== 'A' && letter !== 'D'
    files.set(path, {
      path,
      ...(renamed ? { oldPath } : {}),
      added: 0,
      deleted: 0,
      binary: false,
      status: STATUS[letter[0] ?? ''] ?? 'modified',
      modeChanged: exists && oldMode !== newMode,
    })
  }
  readNumbers(fields, at, files)
  return [...files.values()]
}

function readNumbers(fields: string[], start: number, files: Map<string, FileChange>): void {
  for (let at = start; at < fields.length; at += 1) {
    // `<added>\t<deleted>\t<path>`, where a rename has an empty path here and two fields behind. Paths may hold tabs.
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '')
    if (match === null) continue
    const [, added = '', deleted = '', plain = ''] = match
    const path = plain === '' ? (fields[at + 2] ?? '') : plain
    if (plain === '') at += 2
    const file = files.get(path)
    if (file === undefined) continue
    file.binary = added === '-'
    file.added = file.binary ? 0 : Number(added)
    file.deleted = file.binary ? 0 : Number(deleted)
  }
}

/** Reads the one line of `git diff --shortstat`; nothing at all means that nothing differs. */
export function parseShortStat(line: string): { files: number; added: number; removed: number } {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0)
  return { files: count('file'), added: count('insertion'), removed: count('deletion') }
}
