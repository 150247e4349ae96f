import { findSpec, judgeCall } from './call.ts'
import { judgeAssignment } from './environment.ts'
import { hasUnknown, MARK } from './marks.ts'
import { listedBy } from './output.ts'
import { joinStates, type Span, type State, type Word } from './session.ts'
import { STATEFUL } from './stateful.ts'
import { type ShellNode } from './types.ts'
import { after, type Outcome, type Run, type Walker } from './outcome.ts'
import { herestringInput } from './redirects.ts'
import { resolveText, resolveWord } from './word.ts'

const MAX_VARIANTS = 64

/** Every way the words of a command may come out. */
function variantsOf(walker: Walker, nodes: readonly ShellNode[], state: State): Word[][] {
  let variants: Word[][] = [[]]
  for (const node of nodes) {
    const place = walker.place(node)
    let alternatives = resolveWord(node, walker.scope(state))
    const size = alternatives.reduce((sum, words) => sum + words.length, 0)
    if (alternatives.length * variants.length > MAX_VARIANTS || size > 4096) {
      alternatives = variants.length > 1 && alternatives.length === 1 ? alternatives : [[MARK.unknownWords]]
    }
    const [only] = variants
    if (only && variants.length === 1 && alternatives.length === 1) {
      for (const value of alternatives[0] ?? []) only.push({ ...place, value })
      continue
    }
    variants = variants.flatMap((before) =>
      alternatives.map((words) => [...before, ...words.map((value) => ({ ...place, value }))]),
    )
  }
  return variants
}

/** Walks one simple command: its substitutions, redirects and assignments, then every form its words may take. */
export function runCommand(
  walker: Walker,
  node: ShellNode,
  run: Run & { extra: readonly ShellNode[] },
): Outcome {
  const { session } = walker
  const { state } = run
  const downloadsBefore = session.downloads
  walker.substitutions(node, state)
  let input = run.input
  const words: ShellNode[] = []
  for (const child of node.children) {
    if (child.type === 'command_name') words.push(child.children[0] ?? child)
    else if (child.type === 'variable_assignment') judgePrefix(walker, child, state)
    else if (child.type === 'file_redirect') {
      walker.redirect(child, state)
      words.push(...child.children.filter((part) => part.isNamed && part.type !== 'file_descriptor').slice(1))
    } else if (child.type === 'herestring_redirect') input = herestringInput(walker, child, state)
    else if (child.type === 'subshell') walker.walk(child, state, input)
    else if (child.type !== 'comment' && (child.isNamed || child.text === '$')) words.push(child)
  }
  for (const child of run.extra) walker.substitutions({ ...child, children: [child] }, state)
  if (!/^(?:test|\[|:|true)$/.test(words[0]?.text ?? ''))
    for (const word of words.slice(1)) checkSecretVariables(walker, word, state)
  if (session.downloads > downloadsBefore) input = { ...input, download: true }
  let result: Outcome | undefined
  for (const variant of variantsOf(walker, [...words, ...run.extra], state)) {
    const outcome = runWords(walker, variant, { state, input })
    result = result
      ? {
          ok: joinStates(result.ok, outcome.ok, MARK.unknown),
          fail: joinStates(result.fail, outcome.fail, MARK.unknown),
        }
      : outcome
  }
  return result ?? { ok: state, fail: state }
}

const SECRET_NAME = /(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIAL)/

/** Reports handing a variable of the environment to a program when its name says that it is a secret. */
function checkSecretVariables(walker: Walker, node: ShellNode, state: State): void {
  if (node.type === 'command_substitution' || node.type === 'process_substitution') return
  const name = node.type === 'variable_name' ? node.text : ''
  // `${!x}` is the variable whose name is in x.
  if (node.type === 'expansion' && /^\$\{!\w+\}$/.test(node.text))
    walker.session.report('secret_access', walker.place(node))
  if (SECRET_NAME.test(name) && !state.variables.has(name))
    walker.session.report('secret_access', walker.place(node))
  for (const child of node.children) checkSecretVariables(walker, child, state)
}

function judgePrefix(walker: Walker, node: ShellNode, state: State): void {
  const name = /^\w+/.exec(node.text)?.[0] ?? ''
  const value = node.children[2]
  const values = value ? resolveText(value, walker.scope(state)) : ['']
  judgeAssignment(walker.session, { name, values, place: walker.place(node), lasting: false })
}

/** Judges one program with resolved words, and tells what the script knows after it. */
export function runWords(walker: Walker, words: readonly Word[], { state, input }: Run): Outcome {
  const { session } = walker
  const [name, ...rest] = words
  const stay = { ok: state, fail: state }
  if (!name || !session.spend()) return stay
  if (session.nesting > 60) {
    session.report('unreadable', name)
    return stay
  }
  session.nesting += 1
  try {
    return runNamed(walker, { name, rest, words, state, input })
  } finally {
    session.nesting -= 1
  }
}

type Named = Run & { name: Word; rest: readonly Word[]; words: readonly Word[] }

function runNamed(walker: Walker, { name, rest, words, state, input }: Named): Outcome {
  const { session } = walker
  const stay = { ok: state, fail: state }
  const body = session.functions.get(name.value)
  const called = body ? callFunction(walker, body, { words, state, input }) : undefined
  // `command x` and the like pass a function by, so a known program is judged as well.
  if (called && !findSpec(name.value)) return called
  const stateful = Object.hasOwn(STATEFUL, name.value) ? STATEFUL[name.value] : undefined
  let inner: Outcome | undefined
  judgeCall({
    session,
    state,
    name,
    words: rest,
    input,
    run: (wrapped, change) => {
      inner = runWords(walker, wrapped, { state: change?.state ?? state, input: change?.input ?? input })
    },
    script: (text, at, change) => {
      inner = walker.nested(text, at, { state: change?.state ?? state, positional: change?.positional })
    },
  })
  const listing = listedBy(words.map((word) => word.value), input.listing) // prettier-ignore
  const effect = stateful?.({ session, state, words: rest, inner, listing: input.listing })
  if (called)
    return {
      ok: joinStates(called.ok, effect?.ok ?? state, MARK.unknown),
      fail: joinStates(called.fail, state, MARK.unknown),
    }
  if (effect) return { ...effect, listing }
  if (!inner) return { ...stay, listing }
  return { ok: joinStates(state, after(inner, state), MARK.unknown), fail: state, listing }
}

/** Runs the body of a function once more, now with its arguments and where the script is now. */
function callFunction(walker: Walker, body: ShellNode, run: Run & { words: readonly Word[] }): Outcome {
  const { state, input } = run
  const { session, frame } = walker
  if (frame.depth > 8) {
    session.report('unreadable', frame.fixed ?? placeOf(run.words))
    return { ok: state, fail: state }
  }
  const positional = run.words.map((word) => word.value)
  const outcome = walker.called(positional).walk(body, state, input)
  if (positional.some(hasUnknown)) return { ok: after(outcome, state), fail: state }
  return outcome
}

function placeOf(words: readonly Word[]): Span {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 }
}
