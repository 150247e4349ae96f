import { findOptions, type Args } from '../args.ts'
import { hasGlob, hasUnknown } from '../marks.ts'
import { isInside, isSecretPath } from '../paths.ts'
import { type Word } from '../session.ts'
import { type Call, each, type ProgramSpec, type SubSpec, wholeCall } from '../spec.ts'
import { checkRead, checkTreeRead, checkWrite, pathsOf } from '../targets.ts'
import { push } from './git-push.ts'
import { isProtected } from './git-branches.ts'

const CHANGE = { deletes: false, tree: false }
const NO_VERIFY = { hooks_ci: '--no-verify' } as const

/** On a shared branch the command would change history that others have. */
function onBranch(call: Call): void {
  if (call.state.branches.some((branch) => branch === undefined || isProtected(call.session, branch))) {
    call.session.report('history_rewrite', wholeCall(call))
  }
}

function commit(call: Call, args: Args): void {
  for (const option of findOptions(args, ['-n'])) call.session.report('hooks_ci', option.word)
  if (findOptions(args, ['--amend']).length > 0) onBranch(call)
  for (const option of findOptions(args, ['-F', '--file', '-t', '--template']))
    if (option.value) checkRead(call.session, call.state, option.value)
}

function reset(call: Call, args: Args): void {
  if (findOptions(args, ['--hard', '--soft', '--mixed', '--merge', '--keep']).length > 0) onBranch(call)
}

function rebase(call: Call, args: Args): void {
  for (const option of findOptions(args, ['-x', '--exec']))
    if (option.value) call.script(option.value.value, option.value)
  const moved = args.operands[findOptions(args, ['--root']).length > 0 ? 0 : 1]
  if (!moved) onBranch(call)
  else if (hasUnknown(moved.value) || isProtected(call.session, moved.value))
    call.session.report('history_rewrite', moved)
}

/** Deleting, moving or renaming branches other than the one of the task. The repository shares them with other worktrees. */
function branch(call: Call, args: Args): void {
  const acts = findOptions(args, ['-d', '-D', '--delete', '-m', '-M', '--move', '-C', '-f', '--force'])
  if (acts.length === 0) return
  const own = call.session.context.branch
  const targets =
    args.operands.length > 0 ? args.operands : [{ ...wholeCall(call), value: call.state.branches[0] ?? '' }]
  for (const word of targets) if (word.value !== own) call.session.report('history_rewrite', word)
}

/** `git rm --cached` leaves the files where they are. */
function removeTracked(call: Call, args: Args): void {
  if (findOptions(args, ['--cached']).length > 0) return
  const tree = findOptions(args, ['-r']).length > 0
  for (const word of args.operands)
    checkWrite(call.session, call.state, { word, kind: { deletes: true, tree } })
}

function clean(call: Call, args: Args): void {
  if (findOptions(args, ['-n', '--dry-run']).length > 0) return
  for (const option of findOptions(args, ['-x', '-X'])) call.session.report('discards_work', option.word)
  for (const word of args.operands)
    checkWrite(call.session, call.state, { word, kind: { deletes: true, tree: false } })
}

function checkout(call: Call, args: Args): void {
  const dashes = call.words.findIndex((word) => word.value === '--')
  for (const word of dashes < 0 ? [] : call.words.slice(dashes + 1))
    checkWrite(call.session, call.state, { word, kind: CHANGE })
  for (const option of findOptions(args, ['-B', '-C', '--force-create'])) {
    if (
      option.value &&
      (hasUnknown(option.value.value) || option.value.value !== call.session.context.branch)
    ) {
      call.session.report('history_rewrite', option.value)
    }
  }
}

const READ_ONLY_CONFIG = [
  '--get',
  '--get-all',
  '--get-regexp',
  '--get-urlmatch',
  '--list',
  '-l',
  '--show-origin',
  '--name-only',
  '--get-color',
]
const HARMLESS_KEYS =
  /^(?:user\.(?:name|email)|color\..*|core\.quotepath|core\.pager=(?:cat|)|pager\..*=false|init\.defaultbranch|advice\..*|log\.\w+|diff\.(?:renames|algorithm|context)|merge\.conflictstyle|pull\.rebase|commit\.gpgsign)$/i

/** Judges setting one key of git's configuration, on the command line or for good. */
function configKey(call: Call, word: Word, key: string): void {
  if (/^core\.hookspath/i.test(key)) call.session.report('hooks_ci', word)
  else if (!HARMLESS_KEYS.test(key)) call.session.report('config_change', word)
}

/** Files brought back from a commit are written, unless only the index is meant. */
function restore(call: Call, args: Args): void {
  if (
    findOptions(args, ['--staged', '-S']).length > 0 &&
    findOptions(args, ['--worktree', '-W']).length === 0
  )
    return
  for (const word of args.operands) checkWrite(call.session, call.state, { word, kind: CHANGE })
}

function config(call: Call, args: Args): void {
  const [first, second] = args.operands
  const isRead =
    findOptions(args, READ_ONLY_CONFIG).length > 0 || first?.value === 'get' || first?.value === 'list'
  const asked = first?.value === 'get' ? second : first
  if (
    isRead ||
    (args.operands.length === 1 &&
      !/^(?:edit|unset|set|remove-section|rename-section)$/.test(first?.value ?? '') &&
      args.options.length === 0)
  ) {
    if (asked && /token|password|extraheader|credential/i.test(asked.value))
      call.session.report('secret_access', asked)
    return
  }
  for (const option of findOptions(args, ['--global', '--system', '--file', '-f', '--blob', '-e', '--edit']))
    call.session.report('config_change', option.word)
  const key = first?.value === 'set' || first?.value === 'unset' ? second : first
  if (key) configKey(call, key, key.value)
}

function forEach(call: Call, args: Args): void {
  const [action, ...rest] = args.operands
  for (const word of rest) if (/^ext::/.test(word.value)) call.session.report('inline_code', word)
  if (action?.value !== 'foreach') return
  const words = rest.filter((word) => !word.value.startsWith('-'))
  const [first] = words
  if (first)
    call.script(words.map((word) => word.value).join(' '), { ...first, end: words.at(-1)?.end ?? first.end })
}

/** `git clone url dir`: the folder is written, and a transport helper in the URL runs a program. */
function clone(call: Call, args: Args): void {
  const [url, folder] = args.operands
  if (url && /^ext::|^-/.test(url.value)) call.session.report('inline_code', url)
  for (const option of findOptions(args, ['-c', '--config']))
    if (option.value) configKey(call, option.value, option.value.value.replace(/=(?!cat$|false$|$).*/, ''))
  checkWrite(call.session, call.state, { word: folder ?? { ...call.name, value: './clone' }, kind: CHANGE })
}

function fetched(call: Call, args: Args): void {
  for (const word of args.operands) {
    if (/^ext::/.test(word.value)) call.session.report('inline_code', word)
    const into = /^\+?[^:]*:(.+)$/.exec(word.value)?.[1]
    if (
      into &&
      !word.value.includes('//') &&
      !word.value.includes('@') &&
      !into.startsWith('refs/remotes/')
    ) {
      if (into !== call.session.context.branch) call.session.report('history_rewrite', word)
    }
  }
}

/** `git show HEAD:.env`: a file named inside a revision. */
function shown(call: Call, args: Args): void {
  for (const word of args.operands) {
    const path = word.value.includes(':') ? word.value.slice(word.value.indexOf(':') + 1) : word.value
    if (isSecretPath(`/${path}`)) call.session.report('secret_access', word)
  }
}

function globalOptions(call: Call, args: Args): void {
  const { session, state } = call
  for (const option of findOptions(args, ['-c', '--config-env'])) {
    if (option.value) configKey(call, option.value, option.value.value.replace(/=(?!(?:cat|false)?$).*/s, ''))
  }
  for (const option of findOptions(args, ['--exec-path']))
    if (option.value) session.report('environment', option.word)
  for (const option of findOptions(args, ['--git-dir', '--work-tree', '-C'])) {
    for (const path of option.value ? pathsOf(session, state, option.value.value) : []) {
      if (hasUnknown(path)) session.report('unresolved', option.value ?? option.word)
      else if (!isInside(path, session.scope.worktree))
        session.report('outside_worktree', option.value ?? option.word)
      else if (option.name !== '--git-dir' && path.includes('/.git'))
        session.report('git_internals', option.value ?? option.word)
    }
  }
}

const OUTPUT: ProgramSpec = {
  writeOptions: '--output',
  mentions: true,
  flags: { inline_code: '--ext-diff --textconv' },
}
const READS = each(
  'status ls-tree rev-parse rev-list describe shortlog merge-base name-rev count-objects fsck ' +
    'for-each-ref show-ref show-branch check-ignore check-attr diff-tree diff-index diff-files var whatchanged help version cherry ' +
    'range-diff verify-commit verify-tag stripspace interpret-trailers rerere column get-tar-commit-id patch-id ' +
    'check-mailmap check-ref-format merge-tree write-tree commit-tree read-tree sparse-checkout ',
  { mentions: true } as ProgramSpec,
)

const SUBS: Record<string, SubSpec> = {
  ...READS,
  'ls-files': 'routine',
  // A file that git is told not to look at is missing from the diff that is reviewed.
  'update-index': { mentions: true, flags: { config_change: '--assume-unchanged --skip-worktree' } },
  add: {},
  lfs: {
    sub: {
      push: 'push_shared',
      install: 'config_change',
      uninstall: 'config_change',
      migrate: 'history_rewrite',
    },
  },
  rm: { mentions: true, judge: removeTracked },
  mv: { writes: 'all' },
  restore: { mentions: true, withValue: '-s --source', judge: restore },
  ...each('log diff', { ...OUTPUT, judge: shown } as ProgramSpec),
  show: { ...OUTPUT, judge: shown },
  reflog: { sub: each('expire delete drop', 'history_rewrite' as const) },
  commit: {
    mentions: true,
    flags: NO_VERIFY,
    withValue: '-m --message -F --file -C -c -t --template --author --date --fixup --squash --trailer -S',
    judge: commit,
  },
  merge: { mentions: true, flags: NO_VERIFY, withValue: '-m -s -X -F --strategy --strategy-option' },
  ...each('cherry-pick revert', { mentions: true, withValue: '-m -s -X' } as ProgramSpec),
  am: { flags: NO_VERIFY },
  apply: { flags: { outside_worktree: '--unsafe-paths' }, writeOptions: '--directory' },
  pull: {
    mentions: true,
    flags: { ...NO_VERIFY, inline_code: '--upload-pack' },
    judge: (call, args) => {
      if (findOptions(args, ['--rebase', '-r']).some((option) => option.value?.value !== 'false'))
        onBranch(call)
      fetched(call, args)
    },
  },
  ...each('fetch ls-remote fetch-pack', {
    mentions: true,
    flags: { inline_code: '--upload-pack --exec' },
    judge: fetched,
  } as ProgramSpec),
  push,
  rebase: {
    mentions: true,
    flags: NO_VERIFY,
    withValue: '-x --exec --onto -s -X -C',
    unless: '--abort --continue --skip --quit',
    judge: rebase,
  },
  reset: { mentions: true, judge: reset },
  checkout: { mentions: true, withValue: '-b -B --orphan --conflict', judge: checkout },
  switch: { mentions: true, withValue: '-c -C --create --force-create --orphan', judge: checkout },
  branch: {
    mentions: true,
    withValue: '-u --set-upstream-to --contains --merged --no-merged --format --sort',
    judge: branch,
  },
  tag: {
    mentions: true,
    withValue: '-m -F -u --sort --format -n',
    flags: { history_rewrite: '-d --delete -f --force' },
  },
  stash: {
    sub: {
      drop: 'discards_work',
      clear: 'discards_work',
      ...each('push save pop apply list create branch', 'routine' as const),
      show: { mentions: true, judge: shown },
    },
  },
  clean: { mentions: true, withValue: '-e --exclude', judge: clean },
  gc: { flags: { history_rewrite: '--prune --aggressive' } },
  maintenance: 'config_change',
  ...each(
    'filter-branch filter-repo replace update-ref prune fast-import pack-refs repack unpack-objects prune-packed',
    'history_rewrite' as const,
  ),
  'symbolic-ref': {
    mentions: true,
    withValue: '-m',
    judge: (call, args) => {
      if (args.operands.length > 1 || findOptions(args, ['-d', '--delete']).length > 0)
        call.session.report('history_rewrite', wholeCall(call))
    },
  },
  ...each('receive-pack upload-pack upload-archive shell', 'inline_code' as const),
  config: { mentions: true, withValue: '-f --file --blob --type --default', judge: config },
  remote: {
    sub: { ...each('show get-url -v --verbose update prune', 'routine' as const) },
    otherwise: 'config_change',
  },
  credential: 'secret_access',
  ...each('credential-store credential-cache credential-osxkeychain', 'secret_access' as const),
  worktree: {
    sub: {
      list: 'routine',
      add: {
        withValue: '-b -B --reason',
        mentions: true,
        judge: (call, args) => {
          const [first] = args.operands
          if (first) checkWrite(call.session, call.state, { word: first, kind: CHANGE })
        },
      },
    },
    otherwise: 'outside_worktree',
  },
  submodule: { mentions: true, judge: forEach },
  clone: {
    mentions: true,
    withValue: '-b --branch --depth -o -c --config -u --upload-pack --template --reference',
    flags: { inline_code: '-u --upload-pack --template', outside_worktree: '--separate-git-dir' },
    judge: clone,
  },
  init: {
    writes: 'all',
    mentions: true,
    withValue: '-b --initial-branch --template --separate-git-dir',
    flags: { hooks_ci: '--template --separate-git-dir' },
  },
  bisect: { sub: { run: { wraps: { skip: 0 } } } },
  notes: {},
  ...each('blame annotate cat-file hash-object', { judge: shown } as ProgramSpec),
  grep: {
    flags: { inline_code: '-O --open-files-in-pager' },
    withValue: '-e -f -m -A -B -C',
    judge: (call, args) => {
      for (const word of args.operands.slice(1)) checkTreeRead(call.session, call.state, word)
    },
  },
  ...each('difftool mergetool', { flags: { inline_code: '-x --extcmd -t --tool' } } as ProgramSpec),
  'format-patch': { writeOptions: '-o --output-directory' },
  archive: { writeOptions: '-o --output', flags: { inline_code: '--exec', remote_host: '--remote' } },
  bundle: {
    sub: {
      create: {
        judge: (call, args) => {
          const [first] = args.operands
          if (first) checkWrite(call.session, call.state, { word: first, kind: CHANGE })
        },
      },
      ...each('verify list-heads unbundle', 'routine' as const),
    },
  },
  ...each(
    'send-email request-pull imap-send http-push send-pack daemon instaweb cvsserver',
    'data_send' as const,
  ),
  ...each('svn p4 cvsexportcommit', 'push_shared' as const),
  hook: 'inline_code',
  'for-each-repo': 'inline_code',
}

/** Git, sub-command by sub-command. One that is not listed may be an alias for anything. */
export const GIT: ProgramSpec = {
  unless: '--version --help --html-path --man-path --exec-path -h -v',
  withValue: '-C -c --git-dir --work-tree --namespace --config-env --super-prefix',
  judge: (call, args) => {
    globalOptions(call, args)
    const [sub] = args.operands
    if (sub && hasGlob(sub.value)) call.session.report('unresolved', sub)
  },
  sub: SUBS,
  otherwise: 'unresolved',
}
