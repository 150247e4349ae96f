import { findOptions, type Args } from '../args.ts'
import { findRoots, findTargets } from '../find.ts'
import { hasUnknown, MARK } from '../marks.ts'
import { judgeAssignment } from '../environment.ts'
import { NO_INPUT, type Word } from '../session.ts'
import { type Call, each, type ProgramSpec, wholeCall } from '../spec.ts'
import { checkRead, checkWrite, pathsOf } from '../targets.ts'

const PLAIN: ProgramSpec = { wraps: { skip: 0 } }

function env(call: Call, args: Args): void {
  const { session, state } = call
  const rest = args.operands[0]?.value === '-' ? args.operands.slice(1) : args.operands
  const at = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.value))
  const [assignments, command] = at < 0 ? [rest, []] : [rest.slice(0, at), rest.slice(at)]
  for (const word of assignments) {
    const match = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word.value)
    if (match)
      judgeAssignment(session, {
        name: match[1] ?? '',
        values: [match[2] ?? ''],
        place: word,
        lasting: false,
      })
  }
  const split = findOptions(args, ['-S', '--split-string'])
  for (const option of split) {
    if (option.value)
      call.script([option.value.value, ...rest.map((word) => word.value)].join(' '), option.value)
  }
  const folder = findOptions(args, ['-C', '--chdir'])[0]?.value
  const cwds = folder ? pathsOf(session, state, folder.value) : state.cwds
  if (command.length > 0) call.run(command, { state: { ...state, cwds } })
  else if (split.length === 0) session.report('secret_access', wholeCall(call))
}

/** Replaces the place-holder of `xargs -I` and `find -exec`, or adds the words at the end. */
function fill(words: readonly Word[], holder: string | undefined, values: readonly string[]): Word[] {
  if (holder === undefined) {
    const last = words.at(-1)
    return last ? [...words, ...values.map((value) => ({ start: last.start, end: last.end, value }))] : []
  }
  return words.flatMap((word) =>
    word.value.includes(holder)
      ? values.map((value) => ({ ...word, value: word.value.replaceAll(holder, value) }))
      : [word],
  )
}

function xargs(call: Call, args: Args): void {
  const { listing } = call.input
  const fromFile = findOptions(args, ['-a', '--arg-file']).length > 0
  const values = listing && !fromFile && listing.length <= 32 ? listing : [MARK.unknownWords]
  const holder = findOptions(args, ['-I', '-i', '--replace', '-J'])[0]
  for (const option of findOptions(args, ['-a', '--arg-file']))
    if (option.value) checkRead(call.session, call.state, option.value)
  const words = args.operands
  if (words.length === 0) return
  call.run(fill(words, holder ? (holder.value?.value ?? '{}') : undefined, values), { input: NO_INPUT })
}

function parallel(call: Call, args: Args): void {
  const words = args.operands
  const end = words.findIndex((word) => /^:{3,4}\+?$/.test(word.value))
  const template = end < 0 ? words : words.slice(0, end)
  if (template.length === 0) call.session.report('inline_code', wholeCall(call))
  else if (template.length === 1 && template[0]?.value.includes(' '))
    call.script(`${template[0].value} "$1"`, template[0])
  else
    call.run(
      fill(template, template.some((word) => word.value.includes('{}')) ? '{}' : undefined, [
        MARK.unknownWords,
      ]),
      { input: NO_INPUT },
    )
}

const EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir'])

function find(call: Call): void {
  const { session, state, words } = call
  const values = words.map((word) => word.value)
  const targets = findTargets(values)
  const at = (index: number) => words[index] ?? call.name
  for (const [index, value] of values.entries()) {
    if (value === '-delete') {
      const kind = { deletes: true, tree: true }
      for (const path of targets ?? [MARK.unknown])
        checkWrite(session, state, { word: { ...at(index), value: path }, kind })
    } else if (/^-f(?:print0?|printf|ls)$/.test(value))
      checkWrite(session, state, { word: at(index + 1), kind: { deletes: false, tree: false } })
    else if (EXEC.has(value)) {
      const length = values
        .slice(index + 1)
        .findIndex((word, i, rest) => word === ';' || (word === '+' && rest[i - 1] === '{}'))
      const command = words.slice(index + 1, length < 0 ? undefined : index + 1 + length)
      const cwds = value.endsWith('dir')
        ? [...new Set([...findRoots(values).flatMap((root) => pathsOf(session, state, root))])]
        : state.cwds
      call.run(fill(command, '{}', targets ?? [MARK.unknown]), { state: { ...state, cwds } })
    }
  }
  for (const root of findRoots(values)) checkRead(session, state, { ...call.name, value: root })
  for (const [index, value] of values.entries())
    if (hasUnknown(value) && value.startsWith(MARK.unknownWords)) session.report('unresolved', at(index))
}

/** `trap 'code' SIGNAL` and `eval` read their operands as script. */
function evaluate(call: Call): void {
  const words = call.words.filter((word) => word.value !== '--')
  const [first] = words
  if (!first) return
  const place = { start: first.start, end: words.at(-1)?.end ?? first.end }
  if (call.input.download) call.session.report('download_run', place)
  call.script(words.map((word) => word.value).join(' '), { ...place, value: '' })
}

function trap(call: Call): void {
  const [first] = call.words.filter((word) => !/^-/.test(word.value))
  if (first && call.words.length > 1) call.script(first.value, first)
}

/** `flock file command` and `flock file -c script`. */
function flock(call: Call, args: Args): void {
  const [lock, ...rest] = args.operands
  if (lock && !/^\d+$/.test(lock.value))
    checkWrite(call.session, call.state, { word: lock, kind: { deletes: false, tree: false } })
  const script = rest[0]?.value === '-c' || rest[0]?.value === '--command' ? rest[1] : undefined
  if (script) call.script(script.value, script)
  else if (rest.length > 0) call.run(rest)
}

function su(call: Call, args: Args): void {
  for (const option of findOptions(args, ['-c', '--command']))
    if (option.value) call.script(option.value.value, option.value)
}

/** Programs whose operands are another command, and those that read their operands as script. */
export const WRAPPERS: Record<string, ProgramSpec> = {
  ...each('nohup setsid caffeinate unbuffer chronic ts proxychains winpty busybox toybox builtin coproc fakeroot linux32 linux64 setpriv valgrind catchsegv ltrace rlwrap firejail proot watchexec cpulimit catatonit tini dumb-init', PLAIN),
  command: { ...PLAIN, mentions: true, unless: '-v -V' },
  exec: { ...PLAIN, withValue: '-a' },
  time: { ...PLAIN, writeOptions: '-o --output', withValue: '-f --format' },
  timeout: { wraps: { skip: 1 }, withValue: '-s --signal -k --kill-after' },
  gtimeout: { wraps: { skip: 1 }, withValue: '-s --signal -k --kill-after' },
  nice: { ...PLAIN, withValue: '-n --adjustment' },
  ionice: { ...PLAIN, withValue: '-c --class -n --classdata -p', flags: { system_change: '-p' } },
  ...each('setarch faketime runcon', { wraps: { skip: 1 } } as ProgramSpec),
  perf: { sub: each('stat record trace', { wraps: { skip: 0 }, withValue: '-e -o -r -F' } as ProgramSpec) },
  hyperfine: { withValue: '-w -r -m -M -p -s -i -n --warmup --runs --prepare --setup --cleanup --export-json', judge: (call, args) => { for (const word of [...args.operands, ...findOptions(args, ['-p', '--prepare', '-s', '--setup', '--cleanup']).flatMap((option) => option.value ?? [])]) call.script(word.value, word) } },
  ...each('bwrap start-stop-daemon run-parts', { always: 'inline_code', unless: '--help --version' } as ProgramSpec),
  chrt: { wraps: { skip: 1 } },
  taskset: { wraps: { skip: 1 } },
  stdbuf: { ...PLAIN, withValue: '-i --input -o --output -e --error' },
  flock: { wraps: { skip: 1_000_000 }, withValue: '-w --timeout -E', judge: flock },
  'xvfb-run': { ...PLAIN, withValue: '-s -n -e' },
  'dbus-run-session': PLAIN,
  'systemd-run': { always: 'system_change', ...PLAIN },
  'systemd-inhibit': PLAIN,
  watch: { wraps: { skip: 0 }, withValue: '-n --interval', judge: (call, args) => { if (args.operands.length === 1 && args.operands[0]) call.script(args.operands[0].value, args.operands[0]) } },
  entr: PLAIN,
  env: { wraps: { skip: 1_000_000 }, withValue: '-u --unset -C --chdir -S --split-string', judge: env, unless: '--version' },
  'dotenv': { always: 'secret_access' },
  ...each('sudo doas pkexec runas gosu', { always: 'privilege', wraps: { skip: 0, assignments: true }, withValue: '-u -g -h -p -C -r -t -U --user --group' } as ProgramSpec),
  ...each('su runuser sg', { always: 'privilege', withValue: '-c --command -s --shell', judge: su } as ProgramSpec),
  xargs: { wraps: { skip: 1_000_000 }, withValue: '-I -n -P -L -s -d -E -a -J -R --max-args --max-procs --max-lines --delimiter --arg-file --max-chars --eof', judge: xargs },
  parallel: { wraps: { skip: 1_000_000 }, withValue: '-j --jobs -a --arg-file', judge: parallel },
  find: { mentions: true, longDash: true, judge: find },
  fd: { withValue: '-e -E -d -t', flags: { inline_code: '-x --exec -X --exec-batch' } },
  fdfind: { flags: { inline_code: '-x --exec -X --exec-batch' } },
  eval: { mentions: true, judge: evaluate },
  trap: { mentions: true, judge: trap },
  'cross-env': { wraps: { skip: 0, assignments: true } },
  concurrently: { withValue: '-n --names -c', judge: (call, args) => { for (const word of args.operands) call.script(word.value, word) } },
  nodemon: { withValue: '-x --exec -w --watch -e --ext', judge: (call, args) => { for (const option of findOptions(args, ['-x', '--exec'])) if (option.value) call.script(option.value.value, option.value) } },
} // prettier-ignore
