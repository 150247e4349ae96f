import { judgeAssignment } from './environment.ts'
import { hasUnknown, MARK } from './marks.ts'
import { after, isStatement, type Outcome, type Run, type Walker } from './outcome.ts'
import { knownOutput } from './output.ts'
import { doubtInText, doubtInTree } from './readable.ts'
import { walkRedirect, walkRedirected } from './redirects.ts'
import {
  type Frame,
  type Input,
  joinStates,
  NO_INPUT,
  type Span,
  type Session,
  type State,
} from './session.ts'
import { runCommand } from './simple.ts'
import { type ShellNode } from './types.ts'
import { resolveText, resolveWord, type WordScope } from './word.ts'

const MAX_DEPTH = 12
const unset = MARK.unknown

/** Makes a walker for one source. */
export function createWalker(session: Session, frame: Frame): Walker {
  const place = (node: ShellNode): Span => frame.fixed ?? { start: node.startIndex, end: node.endIndex }
  const scope = (state: State): WordScope => ({
    home: session.scope.home,
    variable: (name) => {
      const positional = /^\d+$/.test(name) ? frame.positional?.[Number(name)] : undefined
      if (positional !== undefined) return [positional]
      if (name === 'PWD') return state.cwds
      return state.variables.get(name) ?? (name === 'HOME' ? [session.scope.home] : [MARK.unknown])
    },
    substitution: (node) => knownOutput(walker, node, state),
  })
  const walker: Walker = {
    session,
    frame,
    scope,
    place,
    walk: (node, state, input = NO_INPUT) => {
      if (!session.spend()) return { ok: state, fail: state }
      return walkNode(walker, node, { state, input })
    },
    substitutions: (node, state) => {
      for (const child of node.children) {
        if (child.type === 'command_substitution' || child.type === 'process_substitution')
          walkBlock(walker, child, { state, input: NO_INPUT })
        else walker.substitutions(child, state)
      }
    },
    nested: (text, at, { state, positional }) => {
      const stay = { ok: state, fail: state }
      const fixed = frame.fixed ?? at
      if (hasUnknown(text) || text.includes(MARK.listed)) {
        session.report('unresolved', fixed)
        return stay
      }
      const tree = frame.depth < MAX_DEPTH && !doubtInText(text) ? session.parse(text) : undefined
      if (!tree || doubtInTree(tree, text)) {
        session.report('unreadable', fixed)
        return stay
      }
      return createWalker(session, { fixed, depth: frame.depth + 1, positional }).walk(tree, state)
    },
    pipeline: (stages, run) => walkPipeline(walker, stages, run),
    redirect: (node, state) => walkRedirect(walker, node, state),
    called: (positional) => createWalker(session, { ...frame, depth: frame.depth + 1, positional }),
  }
  return walker
}

function walkNode(walker: Walker, node: ShellNode, run: Run): Outcome {
  const { state, input } = run
  switch (node.type) {
    case 'command':
      return runCommand(walker, node, { state, input, extra: [] })
    case 'redirected_statement':
      return walkRedirected(walker, node, run)
    case 'list':
      return walkList(walker, node, run)
    case 'pipeline':
      return walkPipeline(walker, node.children.filter(isStatement), run)
    case 'subshell': {
      walkBlock(walker, node, run)
      return { ok: state, fail: state }
    }
    case 'negated_command': {
      const { ok, fail } = walkBlock(walker, node, run)
      return { ok: fail, fail: ok }
    }
    case 'if_statement':
    case 'case_statement':
      return walkBranches(walker, node, run)
    case 'for_statement':
    case 'while_statement':
    case 'c_style_for_statement':
      return walkLoop(walker, node, run)
    case 'function_definition':
      return walkFunction(walker, node, run)
    case 'variable_assignment':
    case 'variable_assignments':
    case 'declaration_command':
    case 'unset_command':
      return walkAssignments(walker, node, state)
    case 'program':
    case 'compound_statement':
    case 'do_group':
    case 'else_clause':
    case 'elif_clause':
    case 'case_item':
      return walkBlock(walker, node, run)
    default:
      walker.substitutions(node, state)
      return { ok: state, fail: state }
  }
}

/** Statements one after the other. */
function walkBlock(walker: Walker, node: ShellNode, { state, input }: Run): Outcome {
  let outcome: Outcome = { ok: state, fail: state }
  let current = state
  for (const child of node.children) {
    if (child.text === '&' && !child.isNamed)
      outcome = { ok: joinStates(current, outcome.ok, unset), fail: outcome.fail }
    if (child.type.endsWith('file_redirect') || child.type === 'herestring_redirect')
      walker.redirect(child, current)
    else if (isStatement(child)) {
      current = after(outcome, current)
      outcome = walker.walk(child, current, input)
    }
  }
  return outcome
}

function walkList(walker: Walker, node: ShellNode, { state, input }: Run): Outcome {
  const [left, right] = node.children.filter(isStatement)
  const isAnd = node.children.some((child) => child.text === '&&' && !child.isNamed)
  if (!left) return { ok: state, fail: state }
  const first = walker.walk(left, state)
  if (!right) return first
  const second = walker.walk(right, (isAnd ? first.ok : first.fail) ?? state, input)
  return isAnd
    ? { ok: second.ok, fail: joinStates(first.fail, second.fail, unset) }
    : { ok: joinStates(first.ok, second.ok, unset), fail: second.fail }
}

function walkPipeline(walker: Walker, stages: readonly ShellNode[], { state, input }: Run): Outcome {
  const { session } = walker
  let feed: Input | undefined
  let last: Outcome = { ok: state, fail: state }
  const downloadsBefore = session.downloads
  for (const [index, stage] of stages.entries()) {
    const given = index === stages.length - 1 && input.kind !== 'none' && !feed ? input : undefined
    last = walker.walk(stage, state, feed ?? given ?? (index === 0 ? input : NO_INPUT))
    const download = session.downloads > downloadsBefore || input.download
    feed = { kind: 'pipe', texts: [], download, listing: last.listing }
  }
  // bash runs every stage in a child; zsh and `lastpipe` run the last one in place.
  return {
    ok: joinStates(state, last.ok, unset),
    fail: joinStates(state, last.fail, unset),
    listing: last.listing,
  }
}

function walkBranches(walker: Walker, node: ShellNode, { state, input }: Run): Outcome {
  let result: State | undefined
  let current = state
  let conditionDone = node.type === 'case_statement'
  if (!conditionDone) result = undefined
  for (const child of node.children) {
    if (child.text === 'then' && !child.isNamed) conditionDone = true
    if (!isStatement(child)) continue
    const isArm = child.type === 'elif_clause' || child.type === 'else_clause' || child.type === 'case_item'
    const outcome =
      isArm ||
      !/^(word|string|concatenation|raw_string|simple_expansion|expansion|command_substitution|number)$/.test(
        child.type,
      )
        ? walker.walk(child, current, input)
        : (walker.substitutions({ ...child, children: [child] }, current), { ok: current, fail: current })
    if (conditionDone && isArm) result = joinStates(result, after(outcome, current), unset)
    else current = joinStates(current, after(outcome, current), unset) ?? current
  }
  const end = joinStates(joinStates(state, current, unset), result, unset) ?? state
  return { ok: end, fail: end }
}

/** Every name that is assigned anywhere below `node`. */
function assignedNames(node: ShellNode, into: Set<string>): Set<string> {
  if (node.type === 'variable_assignment') into.add(/^\w+/.exec(node.text)?.[0] ?? '')
  for (const child of node.children) assignedNames(child, into)
  return into
}

function loopValues(walker: Walker, node: ShellNode, state: State): Map<string, readonly string[]> {
  const variables = new Map(state.variables)
  const values: string[] = []
  const isIn = node.children.some((child) => child.text === 'in' && !child.isNamed)
  for (const child of node.children) {
    if (!child.isNamed || child.type === 'variable_name' || child.type === 'do_group') continue
    walker.substitutions({ ...child, children: [child] }, state)
    values.push(...resolveWord(child, walker.scope(state)).flat())
  }
  const name = node.children.find((child) => child.type === 'variable_name')?.text ?? ''
  variables.set(name, isIn && values.length <= 200 ? [...new Set(values)] : [MARK.unknown])
  return variables
}

function walkLoop(walker: Walker, node: ShellNode, { state, input }: Run): Outcome {
  let start = state
  if (node.type === 'for_statement') start = { ...state, variables: loopValues(walker, node, state) }
  else if (node.type === 'c_style_for_statement') walker.substitutions(node, state)
  const body = (from: State): State => {
    let current = from
    // Inside a `while` its condition has just worked: `while read f` has read.
    let entered: State | undefined
    for (const child of node.children) {
      const runs =
        node.type === 'while_statement'
          ? isStatement(child)
          : child.type === 'do_group' || child.type === 'compound_statement'
      if (!runs) continue
      const before = child.type === 'do_group' ? (entered ?? current) : current
      const outcome = walker.walk(child, before, input)
      if (child.type !== 'do_group') entered = node.text.startsWith('until') ? outcome.fail : outcome.ok
      current = joinStates(current, after(outcome, before), unset) ?? current
    }
    return current
  }
  const changed = assignedNames(node, new Set())
  if (changed.size > 0) {
    const variables = new Map(start.variables)
    // What the body assigns may come back changed in the next round.
    for (const name of changed) variables.set(name, [...(variables.get(name) ?? []), MARK.unknown])
    start = { ...start, variables }
  }
  let end = body(start)
  if (end.cwds.length !== start.cwds.length) end = body({ ...end, cwds: [...end.cwds, `/${MARK.unknown}`] })
  return { ok: end, fail: end }
}

function walkFunction(walker: Walker, node: ShellNode, { state }: Run): Outcome {
  const name = node.children.find((child) => child.type === 'word')?.text ?? ''
  const body = node.children.find((child) => child.isNamed && child.type !== 'word')
  for (const child of node.children) if (child.type === 'file_redirect') walker.redirect(child, state)
  if (body) {
    walker.session.functions.set(name, body)
    walker.walk(body, state)
  }
  return { ok: state, fail: state }
}

function walkAssignments(walker: Walker, node: ShellNode, state: State): Outcome {
  walker.substitutions(node, state)
  const named = node.children.filter(
    (child) => child.type === 'variable_assignment' || child.type === 'variable_name',
  )
  // Without a name, these print every variable there is.
  if (
    node.type === 'declaration_command' &&
    named.length === 0 &&
    node.children.slice(1).every((child) => /^-[pxg]+$/.test(child.text))
  ) {
    walker.session.report('secret_access', walker.place(node))
  }
  if (node.children.some((child) => /^-\w*n/.test(child.text)) && node.type === 'declaration_command') {
    walker.session.report('unresolved', walker.place(node))
  }
  const assignments = node.type === 'variable_assignment' ? [node] : node.children
  let current = state
  for (const assignment of assignments) {
    if (assignment.type === 'variable_assignment') current = assign(walker, assignment, current)
    else if (assignment.isNamed && node.type === 'unset_command')
      current = withVariable(current, assignment.text, [MARK.unknown])
    else if (assignment.isNamed && /[=$`\[]/.test(assignment.text))
      walker.session.report('unresolved', walker.place(assignment))
  }
  return { ok: current, fail: current }
}

function withVariable(state: State, name: string, values: readonly string[]): State {
  return { ...state, variables: new Map([...state.variables, [name, values]]) }
}

/** Judges one assignment and remembers its value. */
function assign(walker: Walker, node: ShellNode, state: State): State {
  const name = /^\w+/.exec(node.text)?.[0] ?? ''
  const isPlain = node.children[0]?.type === 'variable_name' && node.children[1]?.text === '='
  const value = node.children[2]
  const values =
    !isPlain || value?.type === 'array'
      ? [MARK.unknown]
      : value
        ? resolveText(value, walker.scope(state))
        : ['', MARK.unknown]
  judgeAssignment(walker.session, { name, values, place: walker.place(node), lasting: true })
  if (node.children[0]?.type === 'subscript' && /['"]/.test(node.children[0].text)) {
    walker.session.report('unreadable', walker.place(node))
  }
  return withVariable(state, name, values)
}
