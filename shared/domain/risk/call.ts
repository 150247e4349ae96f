import { type Args, findOptions, type Option, parseArgs } from './args.ts'
import { hasGlob, hasUnknown, MARK, unmark } from './marks.ts'
import { isInside } from './paths.ts'
import { PROGRAMS } from './programs/index.ts'
import { type Word } from './session.ts'
import { type Call, type ProgramSpec, wholeCall } from './spec.ts'
import { checkLoad, checkRead, checkWrite, pathsOf } from './targets.ts'
import { type RiskReason } from './types.ts'

const INSTALLED = [
  '/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin', '/opt/local/bin', '/snap/bin',
] // prettier-ignore

/** Words of the grammar. Where one stands as a program, the tree and the shell disagree. */
const RESERVED = new Set([
  '',
  ...'{ } ! [[ ]] if then else elif fi for while until do done case esac in select function'.split(' '),
])

function names(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(' ')
}

/** The description of a program by its name, whatever its case or version suffix (`python3.12`). */
export function findSpec(name: string): ProgramSpec | undefined {
  const base = (name.split('/').at(-1) ?? name).toLowerCase().replace(/\.exe$/, '')
  for (const candidate of [base, base.replace(/-?[\d.]+$/, '')]) {
    if (Object.hasOwn(PROGRAMS, candidate)) return PROGRAMS[candidate]
  }
  return undefined
}

/** Judges where a program that is named by a path comes from. */
function checkOrigin(call: Call): void {
  const { session, state, name } = call
  for (const path of pathsOf(session, state, name.value)) {
    const tainted = session.tainted.get(path)
    if (tainted) session.report(tainted, name)
    else if (
      INSTALLED.some(
        (folder) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'),
      )
    )
      continue
    else if (!isInside(path, session.scope.worktree) || isInside(path, `${session.scope.worktree}/.git`)) {
      session.report('foreign_program', name)
    }
  }
}

/** Judges one program with its arguments: everything it says is reported to the session of the call. */
export function judgeCall(call: Call): void {
  const { name, session } = call
  if (hasUnknown(name.value) || hasGlob(name.value) || name.value.includes(MARK.listed)) {
    session.report('unresolved', name)
    return
  }
  // A program whose name looks like an option means that an option of its wrapper was not understood.
  if (RESERVED.has(name.value) || name.value.startsWith('-')) {
    session.report('unreadable', name)
    return
  }
  if (name.value.includes('/')) checkOrigin(call)
  const spec = findSpec(name.value)
  const gitCommand = /(?:^|\/)git-([a-z-]+)$/.exec(name.value)?.[1]
  if (!spec && gitCommand && PROGRAMS['git']) {
    applySpec(PROGRAMS['git'], { ...call, words: [{ ...name, value: gitCommand }, ...call.words] })
    return
  }
  if (!spec) {
    judgeUnknownProgram(call, call.words)
    return
  }
  applySpec(spec, call)
}

const OUTPUT_NAMES =
  /^--?(?:o|out[\w-]*|dest[\w-]*|target-dir|build-dir|B|d|pack-destination|write|junit-?xml|basetemp|report[\w-]*|coverage-dir\w*|cov-report|log-?file|result-log|cache-(?:dir|location|folder)|save[\w-]*|screenshot[\w-]*)$/i
const CODE_NAMES =
  /^--?(?:c|config|config-file|conf|rootdir|rulesdir|plugins?|p|r|require|import|loader|init-script|I|settings?|s|gs|global-settings|preset|resolver|rcfile|setup\w*|global-?setup|test-?runner|transform|reporters?|script|makefile|justfile|taskfile)$/i

/** Programs that do harm with the words behind them, also when a program that nobody knows hands them on. */
const HANDED_ON = new Set(
  'rm shred dd sudo doas sh bash zsh dash ksh ssh scp nc ncat socat kubectl terraform curl wget git rsync chmod chown systemctl crontab eval'.split(
    ' ',
  ),
)

/** For a program that no table describes: it may open no secret, and what looks like its output must stay inside. */
function judgeUnknownProgram(call: Call, words: readonly Word[]): void {
  const handedOn = words.findIndex((word) => HANDED_ON.has(word.value))
  if (handedOn >= 0 && handedOn + 1 < words.length) call.run(words.slice(handedOn))
  for (const [at, word] of words.entries()) {
    checkRead(call.session, call.state, word)
    const [name = '', value] = word.value.split(/=(.*)/s)
    const target = value === undefined ? words[at + 1] : { ...word, value }
    if (target && CODE_NAMES.test(name)) checkLoad(call.session, call.state, target)
    if (!target || !OUTPUT_NAMES.test(name) || !/^(?:[/~]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(target.value))
      continue
    checkWrite(call.session, call.state, { word: target, kind: { deletes: false, tree: false } })
  }
}

function isHarmless(spec: ProgramSpec, args: Args): boolean {
  const unless = names(spec.unless)
  const first = args.operands[0]?.value
  if (first !== undefined && unless.includes(first)) return true
  return (
    args.options.length > 0 &&
    args.options.every((option) => unless.includes(option.name)) &&
    (args.operands.length === 0 || spec.wraps !== undefined)
  )
}

function applySpec(spec: ProgramSpec, call: Call): void {
  const { session, state } = call
  const withValue = names(
    [spec.withValue, spec.writeOptions, spec.targetOptions, spec.loads]
      .filter((list) => list !== undefined)
      .join(' '),
  )
  const style = {
    withValue: new Set(withValue),
    longDash: spec.longDash === true,
    stopEarly: spec.sub !== undefined || spec.wraps !== undefined,
  }
  const args = parseArgs(call.words, style)
  if (isHarmless(spec, args)) return
  if (spec.always) session.report(spec.always, wholeCall(call))
  if (!spec.mentions && !spec.wraps && !spec.sub)
    for (const word of call.words) checkRead(session, state, word)
  checkFlags(spec, call, args)
  for (const option of findOptions(args, names(spec.loads)))
    if (option.value) checkLoad(session, state, option.value)
  checkManifests(names(spec.manifests), call)
  const isFresh = (word: Word) =>
    pathsOf(session, state, word.value).some((path) => session.tainted.has(path))
  const builds = spec.builds === true && !args.operands.some(isFresh)
  for (const option of findOptions(args, names(spec.writeOptions))) {
    if (option.value && option.value.value !== '-') {
      checkWrite(session, state, { word: option.value, kind: { deletes: false, tree: false, builds } })
    }
  }
  checkTargets(spec, call, args)
  spec.judge?.(call, args)
  if (spec.wraps) unwrap(spec.wraps, call, args)
  if (spec.sub) applySub(spec, call, args)
}

function checkManifests(files: readonly string[], { session, state, name }: Call): void {
  for (const path of files.flatMap((file) => pathsOf(session, state, file))) {
    const tainted = session.tainted.get(path)
    if (tainted) session.report(tainted, name)
  }
}

function checkFlags(spec: ProgramSpec, call: Call, args: Args): void {
  const flags = Object.entries(spec.flags ?? {}) as [RiskReason, string][]
  for (const [reason, list] of flags) {
    for (const option of findOptions(args, names(list))) call.session.report(reason, option.word)
  }
  if (flags.length === 0 && spec.writeOptions === undefined) return
  for (const word of args.unclear) {
    if (flags.length > 0 || word.value.startsWith(MARK.unknownWords)) call.session.report('unresolved', word)
  }
}

function writtenOperands(spec: ProgramSpec, args: Args, moved: readonly Option[]): readonly Word[] {
  if (!spec.writes) return []
  if (spec.writesOnlyWith && findOptions(args, names(spec.writesOnlyWith)).length === 0) return []
  if (spec.writes === 'all') return args.operands
  if (moved.length > 0) return []
  if (spec.writes === 'rest') return args.operands.slice(1)
  return args.operands.length > 1 ? args.operands.slice(-1) : []
}

function checkTargets(spec: ProgramSpec, call: Call, args: Args): void {
  const moved = findOptions(args, names(spec.targetOptions))
  const tree =
    spec.deletes === true && (!spec.treeOptions || findOptions(args, names(spec.treeOptions)).length > 0)
  const kind = { deletes: spec.deletes === true, tree }
  for (const word of writtenOperands(spec, args, moved)) {
    const isPlace = spec.moves === true && moved.length === 0 && word === args.operands.at(-1)
    if (word.value !== '-')
      checkWrite(call.session, call.state, { word, kind: isPlace ? { deletes: false, tree: false } : kind })
  }
  for (const option of moved) {
    if (option.value)
      checkWrite(call.session, call.state, { word: option.value, kind: { deletes: false, tree: false } })
  }
}

function unwrap(wraps: { skip: number; assignments?: boolean }, call: Call, args: Args): void {
  let words = args.operands.slice(wraps.skip)
  if (words[0]?.value === '--') words = words.slice(1)
  if (wraps.assignments) {
    const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.value))
    words = first < 0 ? [] : words.slice(first)
  }
  if (words.length > 0) call.run(words)
}

function applySub(spec: ProgramSpec, call: Call, args: Args): void {
  // `cargo +nightly build`: the tool chain stands before the sub-command.
  const [first, ...rest] = args.operands[0]?.value.startsWith('+') ? args.operands.slice(1) : args.operands
  if (!first) return
  const report = (reason: RiskReason) => call.session.report(reason, wholeCall(call))
  if (hasUnknown(first.value)) {
    call.session.report('unresolved', first)
    return
  }
  const key = unmark(first.value)
  const sub = Object.hasOwn(spec.sub ?? {}, key) ? spec.sub?.[key] : spec.otherwise
  if (sub === undefined) {
    judgeUnknownProgram(call, rest)
  } else if (sub === 'routine') return
  else if (typeof sub === 'string') {
    if (rest.some((word) => word.value === '--help')) return
    report(sub)
  } else
    applySpec(sub, { ...call, name: { ...call.name, end: Math.max(call.name.end, first.end) }, words: rest })
}
