import { MARK_RANGE } from './marks.ts'
import { type ShellNode } from './types.ts'
import { ansiText } from './word.ts'

/** Where in a source the reader cannot be sure; UTF-16 offsets. */
export type Doubt = { start: number; end: number }

/** The longest command that is read, in bytes of UTF-8. */
export const MAX_COMMAND_BYTES = 64 * 1024

// Characters that a screen shows differently from what the shell reads: controls, bidirectional overrides, invisible spaces.
const DECEPTIVE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\uffff]|[\u{e0000}-\u{e0fff}]/u

/** Doubts that the text alone raises, before it is parsed. */
export function doubtInText(source: string): Doubt | undefined {
  for (const pattern of [DECEPTIVE, MARK_RANGE, /[\ud800-\udfff]/u]) {
    const match = pattern.exec(source)
    if (match) return { start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

const QUOTED = new Set([
  'raw_string',
  'ansi_c_string',
  'comment',
  'heredoc_body',
  'heredoc_start',
  'heredoc_end',
])
const FREE_TEXT = new Set(['string', 'heredoc_body', 'translated_string'])

/** `cat <<'X'` and its like: the delimiter as text, and whether the body is taken as it stands. */
export function heredocDelimiter(start: string): { text: string; quoted: boolean } | undefined {
  const match = /^(?:'([^'\\\n]+)'|"([^"\\$`\n]+)"|\\?([\w.-]+))$/.exec(start)
  const text = match?.[1] ?? match?.[2] ?? match?.[3]
  return text === undefined ? undefined : { text, quoted: !/^[\w.-]/.test(start) }
}

function heredocIsSure(node: ShellNode, source: string): boolean {
  const part = (type: string) => node.children.find((child) => child.type === type)
  const delimiter = heredocDelimiter(part('heredoc_start')?.text ?? '')
  if (!delimiter) return false
  const strip = (line: string) =>
    node.text.startsWith('<<-') || /^\d*<<-/.test(node.text) ? line.replace(/^\t+/, '') : line
  const body = part('heredoc_body')?.text ?? ''
  const end = part('heredoc_end')
  // The shell ends a heredoc only where the delimiter is the whole line.
  if (!end || !/^(?:\n|$)/.test(source.slice(end.endIndex, end.endIndex + 1))) return false
  return (
    end.text.trim() === delimiter.text &&
    !body.split('\n').some((line) => strip(line) === delimiter.text) &&
    // A line that ends in a backslash joins the next one, and could hide or make a delimiter.
    (delimiter.quoted || !/\\\n/.test(body))
  )
}

/** Finds text inside a leaf that the shell would run or split, although the grammar took it for plain text. */
function leafIsSure(node: ShellNode, inBackticks: boolean): boolean {
  if (node.type === 'ansi_c_string') return ansiText(node.text) !== undefined
  if (inBackticks && /[\\`]/.test(node.text) && node.isNamed) return false
  // Arithmetic and `test -v` run what stands between the brackets of a name.
  if (node.type === 'raw_string' && /^'\w+\[[^\]]*(?:\$\(|`)/.test(node.text)) return false
  if (QUOTED.has(node.type)) return true
  const bare = node.text.replace(/\\[\s\S]/g, '')
  if (node.isNamed && /`|\$[({[]|[<>]\(/.test(bare)) return false
  return node.type !== 'word' || !/[;|&<>()"'\s]/.test(bare)
}

const BLANK = /^(?:[ \t\n]|\\\n)*$/

/** The bytes between two nodes must be blank, and a line that is joined with `\` must not join two halves of one word. */
function gapIsSure(gap: string, parent: ShellNode): boolean {
  if (FREE_TEXT.has(parent.type)) return true
  if (!BLANK.test(gap)) return false
  return gap === '' || gap.replaceAll('\\\n', '') !== ''
}

const ARITHMETIC_START = /^\(\([\s(]*[A-Za-z_][\w./-]*(?:\s+[-/\w~.$"'*]|\s*\))/
// A name that stands alone between two operators of a list is a program as much as a variable.
const LONE_NAME = /(?:^\(\(|[|&;\n(])[\s({!]*[A-Za-z_/."'\\~$][\w./-]*\s*[)|&;\n]/
// Two operands without an operator between them are never arithmetic, and a blank before `-x` makes it an option.
const SIDE_BY_SIDE = /[\w"'})]\s+(?:-[A-Za-z-]|[\w/~."'$\\{])/

/**
 * Whether `((…))` would be a command in a subshell of a subshell: what bash reads as arithmetic, dash and other plain
 * shells run.
 */
function arithmeticReadsAsCommand(text: string): boolean {
  return text.startsWith('((') && [ARITHMETIC_START, LONE_NAME, SIDE_BY_SIDE].some((form) => form.test(text))
}

const WORDS = new Set(['command', 'declaration_command', 'unset_command', 'for_statement'])
const WORD_TYPES = new Set([
  'command_name', 'word', 'string', 'raw_string', 'ansi_c_string', 'concatenation', 'number', 'simple_expansion', 'expansion',
  'command_substitution', 'process_substitution', 'arithmetic_expansion', 'translated_string', 'variable_assignment',
]) // prettier-ignore

function nodeDoubt(node: ShellNode, source: string, inBackticks: boolean): Doubt | undefined {
  const here = { start: node.startIndex, end: Math.max(node.endIndex, node.startIndex) }
  if (node.type === 'ERROR' || node.isMissing) return here
  if (node.type === 'compound_statement' && arithmeticReadsAsCommand(node.text)) return here
  if (node.type === 'heredoc_redirect' && !heredocIsSure(node, source)) return here
  if (node.type === 'heredoc_body' && inBackticks) return here
  // `${x@P}` runs the value of x as a prompt; a quoted subscript is run by arithmetic.
  if (node.type === 'expansion' && /@P\}$/.test(node.text)) return here
  if (node.type === 'subscript' && /['"`]|\$\(/.test(node.text)) return here
  if (node.children.length === 0) return leafIsSure(node, inBackticks) ? undefined : here
  let at = node.startIndex
  let previous: ShellNode | undefined
  for (const child of node.children) {
    if (child.startIndex < at && node.type !== 'heredoc_redirect' && node.type !== 'redirected_statement')
      return here
    const gap = source.slice(at, Math.max(at, child.startIndex))
    if (child.startIndex >= at && !gapIsSure(gap, node)) return { start: at, end: child.endIndex }
    const touching = gap === '' && previous && WORD_TYPES.has(previous.type) && WORD_TYPES.has(child.type)
    if (touching && WORDS.has(node.type)) return { start: previous?.startIndex ?? at, end: child.endIndex }
    if (
      child.type === 'comment' &&
      !/^$|[\s;&|()]/.test(source.slice(Math.max(0, child.startIndex - 1), child.startIndex))
    ) {
      return { start: child.startIndex, end: child.endIndex }
    }
    at = Math.max(at, child.endIndex)
    previous = child
  }
  return undefined
}

/** Compares the tree with the text it came from; whatever the tree does not account for is a doubt. */
export function doubtInTree(root: ShellNode, source: string): Doubt | undefined {
  const outside = source.slice(0, root.startIndex) + source.slice(root.endIndex)
  if (!BLANK.test(outside)) return { start: 0, end: source.length }
  const open: { node: ShellNode; inBackticks: boolean }[] = [{ node: root, inBackticks: false }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, inBackticks } = next
    const doubt = nodeDoubt(node, source, inBackticks)
    if (doubt) return doubt
    const ticks = inBackticks || (node.type === 'command_substitution' && node.text.startsWith('`'))
    for (const child of node.children) open.push({ node: child, inBackticks: ticks })
  }
  return root.hasError ? { start: root.startIndex, end: root.endIndex } : undefined
}
