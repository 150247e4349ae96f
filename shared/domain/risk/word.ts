import { isPlain, MARK, markGlobs, unmark } from './marks.ts'
import { type ShellNode } from './types.ts'

/** What a word may look up while it is resolved. Each answer lists every value the thing may have. */
export type WordScope = {
  variable: (name: string) => readonly string[]
  substitution: (node: ShellNode) => readonly string[]
  home: string
}

const MAX_ALTERNATIVES = 32
const COUNTERS = new Set(['?', '#', '$', '!', '_', '-', 'SECONDS', 'RANDOM', 'LINENO', 'UID', 'EUID', 'PPID'])

const TEXT_PARTS = new Set(['string_content', 'heredoc_content'])

function product(left: readonly string[], right: readonly string[]): string[] {
  const [onlyLeft] = left
  const [onlyRight] = right
  if (left.length === 1 && right.length === 1) return [(onlyLeft ?? '') + (onlyRight ?? '')]
  const all = new Set<string>()
  for (const a of left) for (const b of right) all.add(a + b)
  return all.size > MAX_ALTERNATIVES ? [MARK.unknownWords] : [...all]
}

/** How the shell treats the value of an unquoted expansion: patterns come alive and spaces split. */
function unquotedValue(value: string): string {
  return markGlobs(value)
    .replaceAll(MARK.unknown, MARK.unknownWords)
    .replace(/[ \t\n]+/g, MARK.split)
}

function unquotedText(text: string): string {
  const pieces: Record<string, string> = {
    '*': MARK.star,
    '?': MARK.question,
    '[': MARK.bracket,
    '{': MARK.braceOpen,
    '}': MARK.braceClose,
    ',': MARK.comma,
  }
  return text.replace(/\\([\s\S])|[*?[{},]/g, (match: string, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped === '\n' ? '' : escaped
    return pieces[match] ?? match
  })
}

function quotedText(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_match, escaped: string) => (escaped === '\n' ? '' : escaped))
}

const ESCAPES: Record<string, string> = {
  n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v',
} // prettier-ignore

/** The text of a `$'…'` string, or undefined when it holds an escape that is not read here. */
export function ansiText(source: string): string | undefined {
  const body = source.slice(2, -1)
  let unreadable = false
  const text = body.replace(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|[\s\S])|'/g,
    (match, code: string | undefined) => {
      // An unescaped quote inside means that the string ended earlier than the grammar thinks.
      if (code === undefined) unreadable = true
      else if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8))
      else if (/^[xuU]./.test(code)) {
        const point = Number.parseInt(code.slice(1), 16)
        if (point <= 0x10ffff) return String.fromCodePoint(point)
        unreadable = true
      } else if (code === 'c') unreadable = true
      else return ESCAPES[code] ?? (/['"\\?]/.test(code) ? code : match)
      return ''
    },
  )
  return unreadable || /[\uE000-\uE0FF\0]/.test(text) ? undefined : text
}

function expansionValues(node: ShellNode, scope: WordScope): readonly string[] {
  const [first, second, ...rest] = node.children.slice(1)
  if (!first) return [MARK.unknown]
  // The last job of this shell; as `%!` it is told from the processes of others.
  if (first.text === '!' && (node.type === 'simple_expansion' || second?.text === '}')) return ['%!']
  if (node.type === 'simple_expansion') return COUNTERS.has(first.text) ? ['0'] : scope.variable(first.text)
  if (first.text === '#') return ['0']
  if (first.type !== 'variable_name' && first.type !== 'special_variable_name') return [MARK.unknown]
  if (COUNTERS.has(first.text) && second?.text === '}') return ['0']
  const known = scope.variable(first.text)
  if (second?.text === '}' || second?.text === ':?' || second?.text === '?') return known
  if (second && /^:?[-=]$/.test(second.text)) {
    const fallback = rest.find((child) => child.text !== '}')
    return [...new Set([...known, ...(fallback ? rawValues(fallback, scope) : [''])])]
  }
  if (second && /^(?:%%?|##?)$/.test(second.text))
    return known.map((value) => trimmed(value, second.text, rest))
  return [MARK.unknown]
}

/** Takes a plain text off the front or the end of a value, or all folders off the front; anything else is unknown. */
function trimmed(value: string, operator: string, rest: readonly ShellNode[]): string {
  const text = rest
    .filter((child) => child.text !== '}')
    .map((child) => child.text)
    .join('')
  if (value.includes(MARK.unknown) || value.includes(MARK.unknownWords)) return MARK.unknown
  if (operator === '##' && text === '*/') return value.slice(value.lastIndexOf('/') + 1)
  if (!/^[\w./-]+$/.test(text)) return MARK.unknown
  if (operator.startsWith('%')) {
    if (value.endsWith(text)) return value.slice(0, -text.length)
    // A pattern at the end may or may not hold the text; it covers the shorter name too.
    return isPlain(value.slice(-text.length)) || value.endsWith(MARK.star) || value.endsWith(MARK.listed)
      ? value
      : MARK.unknown
  }
  if (value.startsWith(text)) return value.slice(text.length)
  return isPlain(value.slice(0, text.length)) ? value : MARK.unknown
}

function stringValues(node: ShellNode, scope: WordScope, quoteLength = 1): string[] {
  let values = ['']
  let at = node.startIndex + quoteLength
  const textTo = (end: number) => {
    const from = at - node.startIndex
    const text = node.text.slice(from, Math.max(from, end - node.startIndex))
    values = product(values, [quotedText(text)])
  }
  for (const child of node.children) {
    if (!child.isNamed || TEXT_PARTS.has(child.type)) continue
    textTo(child.startIndex)
    values = product(values, rawValues(child, scope))
    at = child.endIndex
  }
  textTo(node.endIndex - quoteLength)
  return values
}

/** Every value of a node as if it stood between double quotes. */
function rawValues(node: ShellNode, scope: WordScope): readonly string[] {
  switch (node.type) {
    case 'string':
      return stringValues(node, scope)
    case 'translated_string':
      return node.children[1] ? stringValues(node.children[1], scope) : [MARK.unknown]
    case 'raw_string':
      return [node.text.slice(1, -1)]
    case 'ansi_c_string':
      return [ansiText(node.text) ?? MARK.unknown]
    case 'simple_expansion':
    case 'expansion':
      return expansionValues(node, scope)
    case 'command_substitution':
      return scope.substitution(node)
    case 'arithmetic_expansion':
      return ['0']
    case 'process_substitution':
      return [`/dev/fd/63`]
    case 'word':
    case 'number':
    case 'variable_name':
    case 'regex':
    case 'test_operator':
    case 'extglob_pattern':
      return node.children.length > 0 ? [MARK.unknown] : [unquotedText(node.text)]
    case 'brace_expression':
      return [MARK.star]
    case 'concatenation': {
      let values: string[] = ['']
      for (const child of node.children) values = product(values, partValues(child, scope))
      return values
    }
    default:
      return node.isNamed ? [MARK.unknown] : [node.text]
  }
}

function partValues(node: ShellNode, scope: WordScope): readonly string[] {
  const values = rawValues(node, scope)
  const expands =
    node.type === 'simple_expansion' || node.type === 'expansion' || node.type === 'command_substitution'
  return expands ? values.map(unquotedValue) : values
}

/** `a{b,c}` as `ab`, `ac`; a range becomes a pattern; a brace that does not expand is plain text. */
function expandBraces(value: string, budget = { left: 512 }): string[] {
  budget.left -= 1
  if (budget.left < 0) return [MARK.unknownWords]
  const open = value.lastIndexOf(MARK.braceOpen)
  if (open < 0) return [value.replaceAll(MARK.braceClose, '}').replaceAll(MARK.comma, ',')]
  const close = value.indexOf(MARK.braceClose, open)
  const inner = close < 0 ? '' : value.slice(open + 1, close)
  const before = value.slice(0, open)
  if (inner.includes(MARK.comma)) {
    const after = value.slice(close + 1)
    const parts = inner.split(MARK.comma)
    return parts.length > 256
      ? [MARK.unknownWords]
      : parts.flatMap((part) => expandBraces(before + part + after, budget))
  }
  if (/^[^.]+\.\.[^.]+(\.\.[^.]+)?$/.test(inner))
    return expandBraces(before + MARK.star + value.slice(close + 1), budget)
  const rest = value
    .slice(open + 1)
    .replace(MARK.braceClose, '}')
    .replaceAll(MARK.comma, ',')
  return expandBraces(`${before}{${rest}`, budget)
}

function expandTilde(value: string, scope: WordScope): string {
  const match = /^~([^/]*)/.exec(value)
  if (!match) return value
  const rest = value.slice(match[0].length)
  if (match[1] === '') return scope.home + rest
  if (match[1] === '+') return (scope.variable('PWD')[0] ?? MARK.unknown) + rest
  return match[1] === '-' ? MARK.unknown + rest : `/~${match[1] ?? ''}${rest}`
}

/**
 * Every way the word may come out, each as the list of arguments it becomes. Unknown parts, patterns and listed names are marked
 * (see `MARK`).
 */
export function resolveWord(node: ShellNode, scope: WordScope): string[][] {
  const startsBare = node.text.startsWith('~')
  return partValues(node, scope).map((value) => {
    const words = expandBraces(value).map((word) => (startsBare ? expandTilde(word, scope) : word))
    if (words.length > 256) return [MARK.unknownWords]
    const bare =
      node.type === 'simple_expansion' || node.type === 'expansion' || node.type === 'command_substitution'
    return words.flatMap((word) => word.split(MARK.split)).filter((word) => !bare || word !== '')
  })
}

/** Every value of a word where the shell neither splits nor expands patterns: assignments, redirects, `case`. */
export function resolveText(node: ShellNode, scope: WordScope): string[] {
  const tilde = node.text.startsWith('~')
  return rawValues(node, scope).map((value) => unmark(tilde ? expandTilde(value, scope) : value))
}

/** Every value of a heredoc body: as it stands when the delimiter is quoted, else with its expansions. */
export function resolveHeredoc(body: ShellNode, quoted: boolean, scope: WordScope): string[] {
  return quoted ? [body.text] : stringValues(body, scope, 0)
}
