import { parseArgs } from './args.ts'
import { findTargets } from './find.ts'
import { hasUnknown, MARK } from './marks.ts'
import { isInside } from './paths.ts'
import { type State } from './session.ts'
import { type ShellNode } from './types.ts'
import { resolveWord } from './word.ts'
import { type Walker } from './outcome.ts'

const FILTERS = new Set(['head', 'tail', 'sort', 'uniq', 'grep', 'egrep', 'fgrep', 'cat'])
/** Programs whose output is a word that holds no path. */
const PLAIN_OUTPUT = new Set(['date', 'nproc', 'uname', 'whoami', 'wc', 'arch', 'expr', 'seq', 'uuidgen'])

function relativeList(operands: readonly string[]): string[] | undefined {
  if (operands.some(hasUnknown)) return undefined
  if (operands.length === 0) return [MARK.listed]
  return operands.flatMap((operand) => [operand, `${operand.replace(/\/+$/, '')}/${MARK.listed}`])
}

const GREP = {
  withValue: new Set(['-e', '-f', '-m', '-A', '-B', '-C', '-g', '-t', '-E', '-d']),
  longDash: false,
  stopEarly: false,
}

function grepList(values: readonly string[]): string[] | undefined {
  const words = values.map((value) => ({ value, start: 0, end: 0 }))
  const { options, operands } = parseArgs(words, GREP)
  if (!options.some(({ name }) => /^-[lL]$|^--files/.test(name))) return undefined
  const hasPattern = options.some(({ name }) => name === '-e' || name === '-f' || name === '--files')
  return relativeList(operands.slice(hasPattern ? 0 : 1).map((word) => word.value))
}

/**
 * The paths that a command prints, when it is one of the few whose output is file names below known folders. Undefined when it is
 * any other command. `listing` is what flows into it.
 */
export function listedBy(
  [name = '', ...values]: readonly string[],
  listing: readonly string[] | undefined,
): readonly string[] | undefined {
  const program = name.split('/').at(-1) ?? name
  if (
    FILTERS.has(program) &&
    listing &&
    values.every((value) => /^-|^\d+$/.test(value) || /grep/.test(program))
  )
    return listing
  switch (program) {
    case 'git':
      if (values[0] === 'grep') return grepList(values.slice(1))
      return /^(?:ls-files|diff --name-only|diff --cached --name-only)(?: [^.\uE010\uE011][^ ]*| --)*$/.test(
        values.join(' '),
      )
        ? [MARK.listed]
        : undefined
    case 'find':
      return findTargets(values)
    case 'grep':
    case 'rg':
      return grepList(values)
    case 'ls':
      return values.some((value) => /^-\w*[aflis]|^--/.test(value))
        ? undefined
        : relativeList(values.filter((value) => !value.startsWith('-')))
    case 'echo':
      return values.some((value) => hasUnknown(value) || value.includes('\\'))
        ? undefined
        : values.flatMap((value) => value.split(/\s+/))
    default:
      return undefined
  }
}

function onlyCommand(node: ShellNode): ShellNode[] | undefined {
  const statements = node.children.filter((child) => child.isNamed && child.type !== 'comment')
  const [only] = statements
  if (!only || statements.length !== 1) return undefined
  if (only.type === 'command') return [only]
  if (only.type === 'redirected_statement') {
    const rest = only.children.filter((child) => child.isNamed && child.type !== 'command')
    return rest.every((child) => /^2>(?:\/dev\/null|&1)$/.test(child.text.replace(/\s/g, '')))
      ? onlyCommand({ ...only, children: only.children.slice(0, 1) })
      : undefined
  }
  if (only.type !== 'pipeline') return undefined
  const stages = only.children.filter((child) => child.isNamed)
  return stages.every((stage) => stage.type === 'command') ? stages : undefined
}

function wordsOf(walker: Walker, node: ShellNode, state: State): string[] | undefined {
  const values: string[] = []
  for (const child of node.children) {
    if (!child.isNamed || child.type === 'comment') continue
    if (child.type === 'variable_assignment' || child.type.endsWith('redirect')) return undefined
    const alternatives = resolveWord(
      child.type === 'command_name' ? (child.children[0] ?? child) : child,
      walker.scope(state),
    )
    if (alternatives.length !== 1 || !alternatives[0]) return undefined
    values.push(...alternatives[0])
  }
  return values
}

/** What a command substitution gives, as far as it can be told without running it. */
export function knownOutput(walker: Walker, node: ShellNode, state: State): readonly string[] {
  const unknown = [MARK.unknown]
  const stages = onlyCommand(node)?.map((stage) => wordsOf(walker, stage, state))
  if (!stages) return unknown
  let listing: readonly string[] | undefined
  for (const [index, words] of stages.entries()) {
    if (!words || walker.session.functions.has(words[0] ?? '')) return unknown
    if (
      index === stages.length - 1 &&
      PLAIN_OUTPUT.has(words[0] ?? '') &&
      !words.some((word) => /[/.~]|^-r/.test(word))
    )
      return ['0']
    if (stages.length === 1) {
      const known = gitOrPwd(words.join(' '), walker, state)
      if (known) return known
    }
    listing = listedBy(words, listing)
  }
  return listing && listing.length > 0 && listing.length <= 32 ? listing : unknown
}

function gitOrPwd(text: string, walker: Walker, state: State): readonly string[] | undefined {
  const { worktree } = walker.session.scope
  if (text === 'pwd' || text === 'pwd -P') return state.cwds
  if (text === 'git rev-parse --show-toplevel')
    return state.cwds.every((cwd) => isInside(cwd, worktree)) ? [worktree] : undefined
  if (
    text === 'git branch --show-current' ||
    text === 'git rev-parse --abbrev-ref HEAD' ||
    text === 'git symbolic-ref --short HEAD'
  ) {
    return state.branches.map((branch) => branch ?? MARK.unknown)
  }
  return /^git (?:rev-parse (?:--short )?HEAD|rev-list --count HEAD)$/.test(text) ? ['0'] : undefined
}
