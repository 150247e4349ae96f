/** A line of a diff. `oldLine` and `newLine` count from 1; a removed line has no new one, an added line no old one. */
export interface DiffLine {
  kind: 'context' | 'add' | 'remove'
  text: string
  oldLine: number | undefined
  newLine: number | undefined
  /** The file ends here without a line end. */
  noNewline?: true
}

/** Lines that belong together. */
export interface DiffHunk {
  header: string
  oldStart: number
  newStart: number
  lines: DiffLine[]
}

/** What happened to one file. */
export interface DiffFile {
  path: string
  /** Before it was renamed or copied. */
  oldPath: string | undefined
  change: 'added' | 'deleted' | 'renamed' | 'copied' | 'modified'
  isBinary: boolean
  mode: { from: string; to: string } | undefined
  hunks: DiffHunk[]
  added: number
  removed: number
}

/** About a millisecond of reading. */
const LINES_PER_STEP = 2_048
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * Reads what `git diff` prints (git-diff(1), "Generating patch text"). Counts in hunk headers decide what belongs to a hunk, so
 * that content which looks like a header stays content. Whatever it cannot read it skips; it never throws.
 */
export function parseDiff(text: string): DiffFile[] {
  const steps = parseInSteps(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** As `parseDiff`, with a pause now and then, in which others can do something. */
export function* parseInSteps(text: string): Generator<void, DiffFile[]> {
  const lines = text.split('\n')
  yield
  const files: DiffFile[] = []
  let at = 0
  while (at < lines.length) {
    if (!lines[at]?.startsWith('diff --git ')) {
      at += 1
      continue
    }
    const file = emptyFile(lines[at] ?? '')
    at = readHeader(lines, at + 1, file)
    while (at < lines.length && HUNK.test(lines[at] ?? '')) at = yield* readHunk(lines, at, file)
    files.push(file)
  }
  return files
}

function emptyFile(header: string): DiffFile {
  return {
    path: pathOfHeader(header),
    oldPath: undefined,
    change: 'modified',
    isBinary: false,
    mode: undefined,
    hunks: [],
    added: 0,
    removed: 0,
  }
}

/** `diff --git a/x b/x`: without a rename both halves are the same, which tells where a name with blanks ends. */
function pathOfHeader(header: string): string {
  const rest = header.slice('diff --git '.length)
  const quoted = /^"(?:[^"\\]|\\.)*" (".*")$/.exec(rest)?.[1]
  if (quoted !== undefined) return withoutPrefix(unquote(quoted))
  const half = (rest.length - 1) / 2
  const [left, right] = [rest.slice(0, half), rest.slice(half + 1)]
  if (left.slice(2) === right.slice(2)) return right.slice(2)
  return withoutPrefix(unquote(rest.slice(rest.lastIndexOf(' b/') + 1)))
}

function readHeader(lines: readonly string[], start: number, file: DiffFile): number {
  let oldMode = ''
  let at = start
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('diff --git ') || HUNK.test(line)) break
    const [, key, value = ''] =
      /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|---|\+\+\+|Binary files|GIT binary patch)\s?(.*)$/.exec(
        line,
      ) ?? []
    if (key === 'old mode') oldMode = value
    if (key === 'new mode') file.mode = { from: oldMode, to: value }
    if (key === 'new file mode') file.change = 'added'
    if (key === 'deleted file mode') file.change = 'deleted'
    if (key === 'rename from' || key === 'copy from') file.oldPath = unquote(value)
    if (key === 'rename to' || key === 'copy to') {
      file.path = unquote(value)
      file.change = key === 'rename to' ? 'renamed' : 'copied'
    }
    if (key === '+++' && value !== '/dev/null') file.path = withoutPrefix(unquote(value.replace(/\t$/, '')))
    if (key === 'Binary files' || key === 'GIT binary patch') file.isBinary = true
  }
  return at
}

function* readHunk(lines: readonly string[], start: number, file: DiffFile): Generator<void, number> {
  const [header = '', oldStart, oldCount = '1', newStart, newCount = '1'] =
    HUNK.exec(lines[start] ?? '') ?? []
  const hunk: DiffHunk = {
    header: (lines[start] ?? '').slice(header.length).trim(),
    oldStart: Number(oldStart),
    newStart: Number(newStart),
    lines: [],
  }
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart]
  let [oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
  let at = start + 1
  for (; at < lines.length; at += 1) {
    if (at % LINES_PER_STEP === 0) yield
    const line = lines[at] ?? ''
    const sign = line[0]
    if (sign === '\\') {
      const last = hunk.lines.at(-1)
      if (last !== undefined) last.noNewline = true
      continue
    }
    if (oldLeft <= 0 && newLeft <= 0) break
    const text = line.slice(1)
    if (sign === '+') {
      hunk.lines.push({ kind: 'add', text, oldLine: undefined, newLine: newLine++ })
      newLeft -= 1
      file.added += 1
    } else if (sign === '-') {
      hunk.lines.push({ kind: 'remove', text, oldLine: oldLine++, newLine: undefined })
      oldLeft -= 1
      file.removed += 1
    } else if (sign === ' ' || sign === undefined) {
      hunk.lines.push({ kind: 'context', text, oldLine: oldLine++, newLine: newLine++ })
      oldLeft -= 1
      newLeft -= 1
    } else break
  }
  file.hunks.push(hunk)
  return at
}

function withoutPrefix(path: string): string {
  return /^[ab]\//.test(path) ? path.slice(2) : path
}

/** git quotes names with control characters, quotes, and (unless told) bytes beyond ASCII, C style. */
function unquote(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text
  const bytes: number[] = []
  const encoder = new TextEncoder()
  const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }
  for (const [, octal, escape, plain] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else if (escape !== undefined) bytes.push(ESCAPES[escape] ?? escape.charCodeAt(0))
    else bytes.push(...encoder.encode(plain))
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}
