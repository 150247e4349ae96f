import { findOptions, type Args } from '../args.ts'
import { hasUnknown, isPlain } from '../marks.ts'
import { isInside } from '../paths.ts'
import { type Word } from '../session.ts'
import { type Call, each, type ProgramSpec, wholeCall } from '../spec.ts'
import { checkRead, checkWrite, pathsOf } from '../targets.ts'
import { EXEC, installs, starter } from './packages.ts'
import { judgeScriptVerb } from './tools.ts'

const INFO = '--version --help -V -v -h'

/** Judges running the file in `word` as a program of the project. */
export function checkScriptFile(call: Call, word: Word): void {
  const { session, state } = call
  if (/^\/dev\/fd\/|^\/dev\/stdin$|^-$/.test(word.value)) {
    session.report(call.input.download ? 'download_run' : 'inline_code', word)
    return
  }
  if (hasUnknown(word.value)) {
    session.report(call.input.download ? 'download_run' : 'unresolved', word)
    return
  }
  for (const path of pathsOf(session, state, word.value)) {
    const tainted = session.tainted.get(path)
    if (tainted) session.report(tainted, word)
    else if (!isInside(path, session.scope.worktree) || path.includes('/.git/'))
      session.report('foreign_program', word)
  }
  checkRead(session, state, word)
}

/** Judges an interpreter that takes its program from standard input. */
function checkStdin(call: Call, script: boolean): void {
  const { session, input } = call
  if (input.download) session.report('download_run', wholeCall(call))
  else if (script && input.kind === 'text') {
    for (const text of input.texts) call.script(text, { ...wholeCall(call), value: '' })
  } else session.report('inline_code', wholeCall(call))
}

function shell(call: Call, args: Args): void {
  const plain = call.words.filter((word) => !/^\+[A-Za-z]+$/.test(word.value))
  if (plain.length < call.words.length) return call.run([call.name, ...plain])
  const inline = findOptions(args, ['-c'])[0]
  const [first, ...rest] = args.operands
  for (const option of findOptions(args, ['--rcfile', '--init-file']))
    if (option.value) checkScriptFile(call, option.value)
  if (inline) {
    if (!first) return
    if (call.input.download && !isPlain(first.value)) call.session.report('download_run', first)
    call.script(first.value, first, { positional: rest.map((word) => word.value) })
  } else if (first && !findOptions(args, ['-s']).length) checkScriptFile(call, first)
  else checkStdin(call, true)
}

/** `source file`: its assignments and functions cannot be seen, so only the project's own files are let through. */
function source(call: Call, args: Args): void {
  const [first] = args.operands
  if (first) checkScriptFile(call, first)
}

/** Asking a runtime or a package for its version, which agents do all day. Nothing else is read as code. */
const HARMLESS_CODE =
  /^\s*(?:(?:console\.log\()?(?:process\.(?:version|platform|arch|versions\.\w+)|require\((['"])(?:\.\/)?(?:[\w@-]+\/)*package\.json\1\)(?:\.\w+)*)\)?;?|import [a-z_]\w*(?:; ?print\([a-z_]\w*\.__(?:version|file)__\))?|import sys; ?print\(sys\.(?:version|executable|path|prefix)\))\s*$/

type Interpreter = { inline: string; harmlessModules?: RegExp; modules?: string; info?: string }

function interpreter({ inline, modules }: Interpreter) {
  return (call: Call, args: Args): void => {
    const code = findOptions(args, inline.split(' ')).filter(
      (option) => !HARMLESS_CODE.test(option.value?.value ?? ''),
    )
    if (code.length === 0 && findOptions(args, inline.split(' ')).length > 0) return
    for (const option of code) {
      const place = option.value ?? option.word
      call.session.report(call.input.download ? 'download_run' : 'inline_code', {
        start: option.word.start,
        end: Math.max(option.word.end, place.end),
      })
    }
    if (code.length > 0) return
    const module = modules ? findOptions(args, [modules])[0] : undefined
    const [first] = args.operands
    if (module?.value) {
      const index = call.words.findIndex((word) => word.end >= (module.value?.end ?? 0))
      call.run([{ ...module.value, value: module.value.value }, ...call.words.slice(index + 1)])
    } else if (first) {
      checkScriptFile(call, first)
      judgeScriptVerb(call, first, args.operands.slice(1))
    } else checkStdin(call, false)
  }
}

function python(): ProgramSpec {
  return {
    mentions: true,
    unless: INFO,
    withValue: '-c -m -W -X',
    judge: (call, args) => pythonCall(call, args),
  }
}

/** Everything behind `-c` or `-m` belongs to the program, so only the words before it are options of the interpreter. */
function pythonCall(call: Call, args: Args): void {
  const at = call.words.findIndex((word) => /^-[A-Za-z]*[cm]/.test(word.value) || !word.value.startsWith('-'))
  const word = call.words[at]
  const match = word ? /^-[A-Za-z]*([cm])(.*)$/.exec(word.value) : null
  if (!word || !match) return interpreter({ inline: '-c' })(call, args)
  const value = match[2] ? { ...word, value: match[2] } : call.words[at + 1]
  const rest = call.words.slice(at + (match[2] ? 1 : 2))
  if (match[1] === 'c') {
    if (HARMLESS_CODE.test(value?.value ?? '')) return
    const reason = call.input.download ? 'download_run' : 'inline_code'
    call.session.report(reason, { start: word.start, end: value?.end ?? word.end })
  } else if (value) call.run([value, ...rest])
}

const NODE: ProgramSpec = {
  mentions: true,
  unless: `${INFO} --v8-options`,
  withValue: '-e --eval -p --print -r --require --import --loader --experimental-loader -C --conditions',
  flags: { environment: '--inspect --inspect-brk' },
  judge: (call, args) => {
    for (const option of findOptions(args, [
      '-r',
      '--require',
      '--import',
      '--loader',
      '--experimental-loader',
    ])) {
      if (option.value && /^(?:data|file|https?):/.test(option.value.value))
        call.session.report('inline_code', option.value)
      else if (option.value && /^[./~\uE010]/.test(option.value.value)) checkScriptFile(call, option.value)
    }
    for (const option of args.options)
      if (/^--env-file/.test(option.name)) call.session.report('secret_access', option.word)
    const isTest = args.options.some((option) => /^--test|^--run$|^--check$/.test(option.name))
    if (!isTest) interpreter({ inline: '-e --eval -p --print -pe' })(call, args)
  },
}

const AWK_ACTS =
  /\bsystem\s*\(|\|\s*&?\s*"|\|&|\|\s*getline|"\s*\|\s*getline|print[^;}\n]*>|print[^;}\n|]*\|(?!\|)|@load|@include|getline[^;|)\n]*<|@\w+\s*\(|\bARGV\s*\[[^\]]*\]\s*=|\bENVIRON\b/

function awk(call: Call, args: Args): void {
  const fromFile = findOptions(args, ['-f', '--file', '-E', '--exec'])
  for (const option of fromFile) if (option.value) checkScriptFile(call, option.value)
  const [program, ...files] = args.operands
  if (program && fromFile.length === 0) {
    if (hasUnknown(program.value)) call.session.report('unresolved', program)
    else if (AWK_ACTS.test(program.value)) call.session.report('inline_code', program)
  }
  for (const word of files) {
    checkRead(call.session, call.state, word)
    if (args.options.some((option) => option.value?.value === 'inplace'))
      checkWrite(call.session, call.state, { word, kind: { deletes: false, tree: false } })
  }
}

const runCode = (inline: string, withValue = inline): ProgramSpec => ({
  mentions: true,
  unless: INFO,
  withValue,
  judge: interpreter({ inline }),
})

/** `deno run x`: a file of the project, a script name, or an address. */
function runFile(call: Call, args: Args): void {
  const [first] = args.operands
  if (first && /^(?:https?|npm|jsr):/.test(first.value)) call.session.report('download_run', first)
  else if (first) checkScriptFile(call, first)
}

/** Runtimes with sub-commands that run a file, and may be told to evaluate text. */
const RUNTIME: ProgramSpec = {
  unless: INFO,
  withValue: '-e --eval -p --print -c --config',
  flags: { inline_code: '-e --eval -p --print' },
  sub: {
    eval: 'inline_code',
    repl: 'inline_code',
    publish: 'publish',
    x: 'download_run',
    upgrade: 'system_change',
    deploy: 'production',
    run: { judge: runFile, manifests: 'package.json deno.json' },
    task: { mentions: true, manifests: 'package.json deno.json' },
    ...installs('install i add update remove'),
  },
}

const BUN: ProgramSpec = {
  ...RUNTIME,
  sub: {
    ...RUNTIME.sub,
    x: EXEC,
    ...each('create c', { mentions: true, judge: starter } as ProgramSpec),
    pm: { sub: each('ls bin cache hash version view', 'routine' as const), otherwise: 'config_change' },
  },
}

/** Shells and languages. A file of the project may run, as `npm test` may; code in an argument or from a pipe may not. */
export const INTERPRETERS: Record<string, ProgramSpec> = {
  ...each('sh bash zsh dash ksh mksh ash fish rbash yash', {
    mentions: true,
    unless: '--version --help',
    withValue: '-o -O --rcfile --init-file',
    wraps: { skip: 1_000_000 },
    judge: shell,
  } as ProgramSpec),
  ...each('csh tcsh pwsh powershell cmd nu elvish xonsh', {
    always: 'inline_code',
    unless: INFO,
  } as ProgramSpec),
  ...each('source .', { mentions: true, judge: source } as ProgramSpec),
  ...each('python pypy', python()),
  ...each('node nodejs', NODE),
  perl: { ...runCode('-e -E'), withValue: '-e -E -I -M -m' },
  ruby: { ...runCode('-e'), withValue: '-e -I -r' },
  ...each('php', { ...runCode('-r -B -R -E'), withValue: '-r -B -R -E -d -f -S -t' }),
  ...each('lua luajit', runCode('-e')),
  ...each(
    'tclsh wish expect r guile racket sbcl ghci irb pry ipython jshell scala clojure elixir iex erl julia octave gnuplot',
    {
      ...runCode('-e -c -x -E'),
    },
  ),
  rscript: runCode('-e'),
  ...each('tsx ts-node swift', {
    ...runCode('-e --eval -p --print'),
    sub: { build: 'routine', test: 'routine', package: 'routine', run: 'routine' },
  } as ProgramSpec),
  deno: { ...RUNTIME },
  bun: BUN,
  ...each('awk gawk mawk nawk', {
    mentions: true,
    withValue: '-f --file -F -v -E -i',
    unless: INFO,
    judge: awk,
  } as ProgramSpec),
  osascript: { always: 'inline_code' },
}
