import { assessCommand } from './risk.ts'
import { isPlain, MARK } from './risk/marks.ts'
import { doubtInText, doubtInTree, MAX_COMMAND_BYTES } from './risk/readable.ts'
import { type RiskContext, type ShellNode, type ShellParser } from './risk/types.ts'
import { resolveWord } from './risk/word.ts'

/** A context for when nothing is known about the place: a folder and no branch. */
const NOWHERE: RiskContext = { worktree: '/worktree' }

const UNKNOWN_SCOPE = { home: '/~', variable: () => [MARK.unknown], substitution: () => [MARK.unknown] }

/**
 * The words of a command that is one simple command and nothing else: no operators, redirects, assignments, substitutions,
 * variables or patterns. Undefined for everything else. With `tail`, a last bare `*` is given back as itself.
 */
function simpleWords(command: string, parse: ShellParser, tail: 'tail' | 'plain'): string[] | undefined {
  if (command.length > MAX_COMMAND_BYTES || doubtInText(command)) return undefined
  const root = parse(command)
  const [only, ...rest] = root.children
  if (!only || rest.length > 0 || only.type !== 'command' || doubtInTree(root, command)) return undefined
  const nodes: ShellNode[] = []
  for (const child of only.children) {
    if (child.type === 'command_name') nodes.push(child.children[0] ?? child)
    else if (
      !child.isNamed ||
      !/^(?:word|number|string|raw_string|ansi_c_string|concatenation)$/.test(child.type)
    )
      return undefined
    else nodes.push(child)
  }
  const words: string[] = []
  for (const [index, node] of nodes.entries()) {
    if (tail === 'tail' && index > 0 && index === nodes.length - 1 && node.text === '*') {
      words.push('*')
      continue
    }
    const values = node.text.startsWith('~') ? [] : resolveWord(node, UNKNOWN_SCOPE)
    const [value, ...more] = values[0] ?? []
    if (values.length !== 1 || value === undefined || more.length > 0 || !isPlain(value)) return undefined
    words.push(value)
  }
  return words
}

function quote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** How many words behind the program name say what it does: `npm run build`, `git commit`. */
const VERBS: Record<string, number> = Object.fromEntries([
  ...'npm pnpm yarn git cargo go make just task docker gh mvn dotnet poetry uv pip bundle rails terraform turbo nx bun deno npx composer mix swift'
    .split(' ')
    .map((name) => [name, 1]),
  ...'ls cat head tail wc pwd grep rg tree stat file diff tsc eslint prettier vitest jest pytest'
    .split(' ')
    .map((name) => [name, 0]),
])
const DEEPER = /^(?:run|run-script|exec|compose|x|dlx|workspace)$/

/**
 * A readable rule for "approve and remember", such as `npm test *`, or undefined when the command must be asked about every time
 * because it is dangerous or more than one simple command.
 */
export function suggestRule(
  command: string,
  parse: ShellParser,
  context: RiskContext = NOWHERE,
): string | undefined {
  const words = simpleWords(command, parse, 'plain')
  const [program, ...rest] = words ?? []
  if (program === undefined || assessCommand(command, context, parse).level !== 'routine') return undefined
  let depth = Object.hasOwn(VERBS, program) ? (VERBS[program] ?? 1) : 1
  if (depth > 0 && DEEPER.test(rest[0] ?? '')) depth += 1
  const verbs: string[] = []
  for (const word of rest.slice(0, depth)) {
    if (word.startsWith('-')) break
    verbs.push(word)
  }
  // A program without a verb says too little: its whole text is the rule.
  if (verbs.length < depth && rest.length > 0) return [program, ...rest].map(quote).join(' ')
  return `${[program, ...verbs].map(quote).join(' ')} *`
}

/**
 * Whether a rule covers a command. A rule is words; a last ` *` stands for any further plain arguments, also none. Words are
 * compared one by one after quotes are taken off. A dangerous command, or one that is more than one simple command, is never covered.
 */
export function ruleCovers(
  pattern: string,
  command: string,
  parse: ShellParser,
  context: RiskContext = NOWHERE,
): boolean {
  const wanted = simpleWords(pattern, parse, 'tail')
  const words = simpleWords(command, parse, 'plain')
  if (!wanted || !words || wanted.length === 0) return false
  const isOpen = pattern.trimEnd().endsWith(' *') && wanted.at(-1) === '*'
  const fixed = isOpen ? wanted.slice(0, -1) : wanted
  if (fixed.length === 0 || (isOpen ? words.length < fixed.length : words.length !== fixed.length))
    return false
  if (!fixed.every((word, index) => word === words[index])) return false
  return assessCommand(command, context, parse).level === 'routine'
}
