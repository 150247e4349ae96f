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

const words = (list: string) => new Set(list.split(' '))

/** Programs that read files or check the project: any further arguments are more of the same. */
const OPEN = words(
  'ls cat head tail wc pwd grep rg tree stat file diff tsc eslint prettier vitest jest mocha pytest mypy',
)
/** Sub-commands with which the arguments say what to look at or check, not what else to do. */
const OPEN_VERBS: Record<string, ReadonlySet<string>> = {
  git: words('status log diff show blame grep ls-files rev-parse describe add commit'),
  cargo: words('test build check clippy fmt doc bench tree'),
  go: words('test build vet fmt list'),
  ...Object.fromEntries(
    'npm pnpm yarn bun deno'
      .split(' ')
      .map((name) => [name, words('test t build lint check fmt typecheck ls list view why outdated audit')]),
  ),
  ...Object.fromEntries(
    'mvn dotnet swift mix rails rake bundle composer turbo nx terraform'
      .split(' ')
      .map((name) => [name, words('test build check lint fmt format validate verify compile')]),
  ),
}
/** `npm run build`: the word behind these is the script, and only its arguments may differ. */
const SCRIPTS: Record<string, ReadonlySet<string>> = Object.fromEntries(
  'npm pnpm yarn bun'.split(' ').map((name) => [name, words('run run-script')]),
)
/** What stands behind these is a command of its own, and the rule is as close as the rule for that command. */
const HANDS_ON: Record<string, ReadonlySet<string>> = {
  npx: words(''),
  ...Object.fromEntries('uv poetry pipenv pdm hatch'.split(' ').map((name) => [name, words('run')])),
  ...Object.fromEntries('npm pnpm yarn bundle'.split(' ').map((name) => [name, words('exec')])),
}
const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|php|bash|sh|zsh|tsx|ts-node)$/

const isOption = (word: string | undefined) => word === undefined || word.startsWith('-')

/** How many of the words the rule keeps before its ` *`; undefined when it must be the whole text. */
function fixedWords(given: readonly string[]): number | undefined {
  const [program = '', first, second] = given
  if (OPEN.has(program)) return 1
  const handsOn = Object.hasOwn(HANDS_ON, program) ? HANDS_ON[program] : undefined
  const skip = program === 'npx' ? 1 : first !== undefined && handsOn?.has(first) ? 2 : 0
  if (skip > 0) {
    const inner = fixedWords(given.slice(skip))
    return inner === undefined ? undefined : inner + skip
  }
  if (isOption(first) || first === undefined) return undefined
  if (INTERPRETERS.test(program)) return isOption(second) ? 2 : 3
  const of = (table: Record<string, ReadonlySet<string>>) =>
    Object.hasOwn(table, program) && table[program]?.has(first) === true
  if (of(SCRIPTS)) return isOption(second) ? undefined : 3
  return of(OPEN_VERBS) ? 2 : undefined
}

/**
 * A readable rule for "approve and remember", such as `npm test *`, or undefined when the command must be asked about every time
 * because it is dangerous or more than one simple command. It stays close to what was approved: ` *` is offered only where further
 * arguments do not change what is done; everything else is remembered word by word.
 */
export function suggestRule(
  command: string,
  parse: ShellParser,
  context: RiskContext = NOWHERE,
): string | undefined {
  const given = simpleWords(command, parse, 'plain')
  if (!given || given.length === 0 || assessCommand(command, context, parse).level !== 'routine')
    return undefined
  const fixed = fixedWords(given)
  const text = given.slice(0, fixed).map(quote).join(' ')
  return fixed === undefined ? text : `${text} *`
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
