import { MARK } from './marks.ts'
import { pathsOf } from './targets.ts'
import { type Session, type State, type Word } from './session.ts'

type Outcome = { ok: State | undefined; fail: State | undefined }
type Step = {
  session: Session
  state: State
  words: readonly Word[]
  inner: Outcome | undefined
  listing?: readonly string[] | undefined
}

const NOWHERE = [`/${MARK.unknown}`]

function changeFolder({ session, state, words }: Step): Outcome {
  const target = words.find((word) => !/^-[LPe@]+$|^--$/.test(word.value))?.value
  if (
    target === '-' ||
    target?.startsWith('+') ||
    words.filter((word) => !word.value.startsWith('-')).length > 1
  ) {
    return { ok: { ...state, cwds: NOWHERE }, fail: state }
  }
  const cwds = [...new Set(pathsOf(session, state, target ?? session.scope.home))]
  return { ok: { ...state, cwds: cwds.length > 16 ? NOWHERE : cwds }, fail: state }
}

function forget({ state }: Step, names: readonly string[]): Outcome {
  const variables = new Map(state.variables)
  for (const name of names) variables.set(name.replace(/\[.*/, ''), [MARK.unknown])
  const next = { ...state, variables }
  return { ok: next, fail: next }
}

/** `git ls-files | while read f`: the one variable holds a name of the listing. */
function read(step: Step): Outcome {
  const names = operandNames(step.words)
  const { ok, fail } = forget(step, [...names, 'REPLY'])
  const [only, ...more] = names
  if (!ok || !step.listing || !only || more.length > 0) return { ok, fail }
  const taken = step.words.every((word) => word.value === only || /^-r$/.test(word.value))
  return taken
    ? { ok: { ...ok, variables: new Map([...ok.variables, [only, step.listing]]) }, fail }
    : { ok, fail }
}

const operandNames = (words: readonly Word[]) =>
  words.map((word) => word.value).filter((value) => /^[A-Za-z_]\w*/.test(value))

/** In the shell itself: what the wrapped command changed stays changed. */
const inPlace = ({ state, inner }: Step): Outcome => inner ?? { ok: state, fail: state }

/** `git checkout x`, `git switch -c x`: the branch that later commands would work on. */
function changeBranch(step: Step): Outcome {
  const { state, words } = step
  const values = words.map((word) => word.value)
  const stay = { ok: state, fail: state }
  const at = values.findIndex((value) => value === 'checkout' || value === 'switch')
  if (at < 0 || values.includes('--') || values.slice(0, at).some((value) => !value.startsWith('-')))
    return stay
  const rest = values.slice(at + 1)
  const create = rest.findIndex((value) => /^-[bBcC]$|^--(?:create|force-create|orphan)$/.test(value))
  const name = create >= 0 ? rest[create + 1] : rest.find((value) => !value.startsWith('-'))
  if (name === undefined || rest.includes('--detach')) return stay
  const branch = name.includes(MARK.unknown) || name === '-' || name.startsWith('@') ? undefined : name
  return { ok: { ...state, branches: [branch] }, fail: state }
}

/** Programs that change what the rest of the script means. They are judged like any other as well. */
export const STATEFUL: Record<string, (step: Step) => Outcome> = {
  cd: changeFolder,
  chdir: changeFolder,
  pushd: changeFolder,
  popd: ({ state }) => ({ ok: { ...state, cwds: NOWHERE }, fail: state }),
  exit: () => ({ ok: undefined, fail: undefined }),
  command: inPlace,
  builtin: inPlace,
  eval: inPlace,
  time: inPlace,
  read,
  mapfile: (step) => forget(step, [...operandNames(step.words), 'MAPFILE']),
  readarray: (step) => forget(step, [...operandNames(step.words), 'MAPFILE']),
  getopts: (step) => forget(step, [...operandNames(step.words), 'OPTARG']),
  let: (step) => forget(step, operandNames(step.words)),
  printf: (step) =>
    step.words[0]?.value.startsWith('-v') ? forget(step, operandNames(step.words)) : inPlace(step),
  export: (step) => forget(step, operandNames(step.words)),
  declare: (step) => forget(step, operandNames(step.words)),
  git: changeBranch,
  // What a sourced file assigns is not seen.
  source: (step) => forget(step, [...step.state.variables.keys()]),
  '.': (step) => forget(step, [...step.state.variables.keys()]),
}
