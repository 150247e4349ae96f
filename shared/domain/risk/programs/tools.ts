import { findOptions, type Args } from '../args.ts'
import { type Word } from '../session.ts'
import { type Call, each, type ProgramSpec, wholeCall } from '../spec.ts'
import { checkLoad, checkWrite } from '../targets.ts'
import { isLocalUrl, judgeUrl } from '../urls.ts'
import { checkScriptFile } from './interpreters.ts'

const INFO = '--version -version version --help -h help'
const READS = 'routine' as const

/** `cmake -E rm x` is `rm x`: its small tools are judged as the programs they stand for. */
const CMAKE_TOOLS: Record<string, string> = {
  ...each('rm remove remove_directory', 'rm -rf'),
  ...each('copy copy_directory copy_if_different copy_directory_if_different', 'cp -r'),
  rename: 'mv',
  make_directory: 'mkdir -p',
  create_symlink: 'ln -s',
  create_hardlink: 'ln',
}

function cmake(call: Call, args: Args): void {
  const at = call.words.findIndex((word) => word.value === '-E')
  const [tool, ...rest] = at < 0 ? [] : call.words.slice(at + 1)
  if (tool) {
    const named = Object.hasOwn(CMAKE_TOOLS, tool.value) ? CMAKE_TOOLS[tool.value] : tool.value
    call.run([...(named ?? '').split(' ').map((value) => ({ ...tool, value })), ...rest])
  }
  for (const option of findOptions(args, ['-P'])) if (option.value) checkScriptFile(call, option.value)
  for (const option of findOptions(args, ['-t', '--target']))
    if (/^(?:un)?install/.test(option.value?.value ?? ''))
      call.session.report('system_change', option.value ?? option.word)
}

/** A compiler: where its result goes, and what it loads into itself. */
function compiler(call: Call): void {
  const { session, state } = call
  for (const word of call.words) {
    const glued = /^-o(.+)$/.exec(word.value)?.[1]
    if (glued)
      checkWrite(session, state, { word: { ...word, value: glued }, kind: { deletes: false, tree: false } })
    const loaded = /^(?:-fplugin|--?specs|-B|-fuse-ld)=?(.+)$/.exec(word.value)?.[1]
    if (loaded && /^[./~]/.test(loaded)) session.report('inline_code', word)
  }
}

function java(call: Call, args: Args): void {
  for (const option of findOptions(args, ['-jar'])) if (option.value) checkScriptFile(call, option.value)
  const [first] = args.operands
  if (first?.value.endsWith('.java')) checkScriptFile(call, first)
  for (const word of call.words) {
    const agent = /^-(?:javaagent|agentpath):([^=]+)/.exec(word.value)?.[1]
    if (agent) checkLoad(call.session, call.state, { ...word, value: agent })
  }
}

/** Opening a page or a file in the person's own programs. */
function open(call: Call, args: Args): void {
  if (findOptions(args, ['-a', '-b']).length > 0) call.session.report('foreign_program', wholeCall(call))
  for (const word of args.operands) {
    const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(word.value)
    const reason = isUrl && !isLocalUrl(word.value) ? judgeUrl(word.value) : undefined
    if (reason) call.session.report(reason, word)
  }
}

/** Sub-commands of a project's own management script that empty a database or open a prompt. */
const SCRIPT_VERBS =
  /^(?:flush|reset_db|sqlflush|drop_test_database|migrate:(?:fresh|reset|rollback|refresh)|db:(?:wipe|drop|reset))$/
const SCRIPT_PROMPTS = /^(?:shell|shell_plus|dbshell|tinker)$/

/** `python manage.py flush`, `php artisan migrate:fresh`, `setup.py upload`: a known script with a verb that leaves the project. */
export function judgeScriptVerb(call: Call, script: Word, rest: readonly Word[]): void {
  const verb = rest.find((word) => !word.value.startsWith('-'))
  const name = script.value.split('/').at(-1) ?? ''
  if (!verb || !/^(?:manage\.py|setup\.py|artisan|console|django-admin)$/.test(name)) return
  if (SCRIPT_VERBS.test(verb.value)) call.session.report('database', verb)
  else if (SCRIPT_PROMPTS.test(verb.value)) call.session.report('inline_code', verb)
  else if (name === 'setup.py' && /^(?:upload|register)$/.test(verb.value))
    call.session.report('publish', verb)
}

const VERSIONS: ProgramSpec = {
  unless: INFO,
  sub: {
    ...each('current list ls ls-remote list-all which where versions tasks use doctor status', READS),
    ...each('exec x', { wraps: { skip: 0 } } as ProgramSpec),
    ...each('run r', { mentions: true } as ProgramSpec),
    trust: 'config_change',
  },
  otherwise: 'system_change',
}

const AGENT: ProgramSpec = { always: 'inline_code', unless: '--version --help -h -v', mentions: true }

/** Terminals, compilers, version managers, other agents, and the tool that this reader belongs to. */
export const TOOLS: Record<string, ProgramSpec> = {
  // An agent that answers its own tickets would be judged by nobody.
  handoff: {
    unless: INFO,
    sub: each('tasks show diff wait guide doctor audit', READS),
    otherwise: 'privilege',
  },
  ...each(
    'claude codex opencode gemini aider cursor-agent goose qwen amp crush droid copilot code cursor windsurf zed',
    AGENT,
  ),
  tmux: {
    withValue: '-L -S -f',
    sub: each('ls list-sessions list-windows list-panes has-session display-message capture-pane info', READS),
    otherwise: 'inline_code',
    unless: '-V',
  },
  ...each('screen byobu zellij', { always: 'inline_code', longDash: true, unless: `${INFO} -ls -list` } as ProgramSpec),
  ...each('dbus-send gdbus busctl qdbus logger wall write', {
    always: 'system_change',
    unless: INFO,
  } as ProgramSpec),
  ...each('screencapture scrot import grim xclip xsel pbpaste wl-paste', {
    always: 'secret_access',
    unless: INFO,
  } as ProgramSpec),
  ...each('open xdg-open gnome-open', { judge: open } as ProgramSpec),
  cmake: {
    flags: { system_change: '--install' },
    writeOptions: '-B',
    withValue: '-E -P -t --target --build -S -G -D -j',
    judge: cmake,
  },
  ...each('gcc cc clang g++ c++ clang++', {
    longDash: true,
    writeOptions: '-o',
    builds: true,
    flags: { inline_code: '-wrapper' },
    judge: compiler,
  } as ProgramSpec),
  java: { longDash: true, withValue: '-jar -cp -classpath', judge: java },
  ...each('nvm fnm volta pyenv rbenv nodenv goenv asdf mise rtx sdk jenv tfenv', VERSIONS),
  corepack: { sub: each('pnpm yarn npm', { mentions: true } as ProgramSpec), otherwise: 'system_change', unless: INFO },
  direnv: { sub: { status: READS, hook: READS, exec: { wraps: { skip: 1 } } }, otherwise: 'config_change', unless: INFO },
  just: {
    withValue: '--set',
    flags: { inline_code: '--shell --shell-arg --command -c' },
    loads: '-f --justfile -d --working-directory',
    manifests: 'justfile Justfile .justfile',
  },
  task: { loads: '-t --taskfile -d --dir', manifests: 'Taskfile.yml Taskfile.yaml' },
  ...each('pytest py.test', {
    manifests: 'conftest.py pytest.ini',
    withValue: '-k -m -n -W -o --tb --durations --maxfail',
    loads: '-c --rootdir -p --confcutdir',
    writeOptions: '--junitxml --junit-xml --basetemp --log-file --report-log',
  } as ProgramSpec),
} // prettier-ignore
