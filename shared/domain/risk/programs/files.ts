import { findOptions, type Args } from '../args.ts'
import { isInside } from '../paths.ts'
import { type Word } from '../session.ts'
import { type Call, each, type ProgramSpec } from '../spec.ts'
import { checkRead, checkTreeRead, checkWrite, pathsOf } from '../targets.ts'
import { SED } from './sed.ts'

const HELP = '--help --version'
const CHANGE = { deletes: false, tree: false }

/** `cp`-like: the last operand is written, and `.git` or CI files among the sources are read only. */
const COPY: ProgramSpec = {
  unless: HELP,
  writes: 'last',
  targetOptions: '-t --target-directory',
  withValue: '-S --suffix',
}

/** `install -d a b` makes folders: every operand is written. */
function installFolders(call: Call, args: Args): void {
  if (findOptions(args, ['-d', '--directory']).length === 0) return
  for (const word of args.operands) checkWrite(call.session, call.state, { word, kind: CHANGE })
}

/** `cp -r ~ x` would take everything along that lies in the folder, keys too. */
function copy(call: Call, args: Args): void {
  if (findOptions(args, ['-r', '-R', '-a', '--recursive', '--archive']).length === 0) return
  for (const word of args.operands.slice(0, -1)) checkTreeRead(call.session, call.state, word)
}

function dd(call: Call): void {
  for (const word of call.words) {
    if (word.value.startsWith('of=')) {
      checkWrite(call.session, call.state, { word: { ...word, value: word.value.slice(3) }, kind: CHANGE })
    }
  }
}

/** An archive is unpacked where `-C` says, else in the current folder; otherwise it is the archive that is written. */
function tar(call: Call, args: Args): void {
  const { session, state } = call
  const [first] = args.operands
  const bundled = call.words[0] === first && first && /^[A-Za-z]+$/.test(first.value) ? first.value : ''
  const given = new Set([
    ...args.options.map((option) => option.name),
    ...[...bundled].map((letter) => `-${letter}`),
  ])
  const has = (...names: string[]) => names.some((name) => given.has(name))
  const folders = findOptions(args, ['-C', '--directory', '--one-top-level']).flatMap(
    (option) => option.value ?? [],
  )
  const bundledFile = bundled.includes('f') ? args.operands[1] : undefined
  const archive = findOptions(args, ['-f', '--file'])[0]?.value ?? bundledFile
  const here: Word = { ...call.name, value: '.' }
  if (/[PIF]/.test(bundled) && first)
    session.report(bundled.includes('P') ? 'outside_worktree' : 'inline_code', first)
  if (has('-c', '--create'))
    for (const word of [...args.operands, ...folders]) checkTreeRead(session, state, word)
  if (archive?.value.includes(':') && !given.has('--force-local')) session.report('remote_host', archive)
  if (has('-x', '--extract', '--get')) {
    for (const word of folders.length > 0 ? folders : [here])
      checkWrite(session, state, { word, kind: CHANGE })
  } else if (
    has('-c', '-r', '-u', '-A', '--create', '--append', '--update') &&
    archive &&
    archive.value !== '-'
  ) {
    checkWrite(session, state, { word: archive, kind: CHANGE })
  }
}

/** A mode may start with a dash (`-x`), so the first word that looks like one is the mode and not an option. */
function chmod(call: Call, args: Args): void {
  const hasDashMode = call.words.some(
    (word) => /^-[ugorwxXst,=+-]*[rwxXst]/.test(word.value) && word.value !== '-R',
  )
  const hasReference = findOptions(args, ['--reference']).length > 0
  for (const word of args.operands.slice(hasDashMode || hasReference ? 0 : 1))
    checkWrite(call.session, call.state, { word, kind: CHANGE })
}

/** A symbolic link that leads out of the worktree would make later writes leave it. */
function link(call: Call, args: Args): void {
  const isMoved = findOptions(args, ['-t', '--target-directory']).length > 0
  const sources = isMoved || args.operands.length === 1 ? args.operands : args.operands.slice(0, -1)
  const isSymbolic = findOptions(args, ['-s', '--symbolic']).length > 0
  const place = args.operands.length > 1 ? (args.operands.at(-1)?.value ?? '.') : '.'
  // What a symbolic link says is read from the folder that the link is in.
  const folder =
    isMoved || /(?:^|\/)\.{0,2}$/.test(place)
      ? place
      : place.includes('/')
        ? place.replace(/\/[^/]*$/, '/')
        : '.'
  const { worktree } = call.session.scope
  const isIn = (path: string) => isInside(path, worktree)
  const cwds =
    isSymbolic && !isMoved ? pathsOf(call.session, call.state, folder).filter(isIn) : call.state.cwds
  for (const word of sources) checkWrite(call.session, { ...call.state, cwds }, { word, kind: CHANGE })
}

/** What is searched for is text; only the other operands are files. */
function grep(call: Call, args: Args): void {
  const isTree =
    !/grep$/.test(call.name.value) ||
    findOptions(args, ['-r', '-R', '--recursive', '--dereference-recursive']).length > 0
  const patterns = findOptions(args, ['-e', '--regexp', '-f', '--file', '--files'])
  for (const word of args.operands.slice(patterns.length > 0 ? 0 : 1)) {
    checkRead(call.session, call.state, word)
    if (isTree) checkTreeRead(call.session, call.state, word)
  }
  for (const option of findOptions(args, ['-f', '--file']))
    if (option.value) checkRead(call.session, call.state, option.value)
}

/** jq can read the environment, tokens included. */
function jq(call: Call, args: Args): void {
  for (const word of args.operands.slice(0, 1)) {
    if (/\$ENV|(?<![.\w"'-])env(?![\w"'-])/.test(word.value)) call.session.report('secret_access', word)
  }
}

/** `eslint -o report`. */
function formatted(call: Call, args: Args): void {
  for (const option of findOptions(args, ['-o', '--output-file']))
    if (option.value) checkWrite(call.session, call.state, { word: option.value, kind: CHANGE })
}

const GREP: ProgramSpec = {
  mentions: true,
  withValue: '-e --regexp -f --file -m -A -B -C -g --glob -t --type --include --exclude --exclude-dir',
  judge: grep,
}

/** Programs that read, write and delete files. */
export const FILES: Record<string, ProgramSpec> = {
  rm: { unless: HELP, writes: 'all', deletes: true, treeOptions: '-r -R --recursive' },
  ...each('rmdir unlink srm shred trash trash-put rimraf del', {
    unless: HELP,
    writes: 'all',
    deletes: true,
  }),
  mv: {
    unless: HELP,
    writes: 'all',
    deletes: true,
    moves: true,
    targetOptions: '-t --target-directory',
    withValue: '-S --suffix',
  },
  ...each('cp gcp ditto', { ...COPY, judge: copy }),
  install: { ...COPY, judge: installFolders, withValue: '-m --mode -o --owner -g --group -S --suffix' },
  ln: { ...COPY, judge: link },
  ...each('touch', { unless: HELP, writes: 'all', withValue: '-d --date -t -r --reference' } as ProgramSpec),
  mkdir: { unless: HELP, writes: 'all', withValue: '-m --mode' },
  ...each('link mkdirp venv virtualenv', { unless: HELP, writes: 'all' } as ProgramSpec),
  mkfifo: { unless: HELP, writes: 'all', withValue: '-m --mode' },
  truncate: { unless: HELP, writes: 'all', withValue: '-s --size -r --reference' },
  fallocate: { unless: HELP, writes: 'all', withValue: '-l --length -o --offset' },
  tee: { unless: HELP, writes: 'all' },
  sponge: { writes: 'all' },
  chmod: { unless: HELP, judge: chmod },
  ...each('chgrp chflags setfacl chattr', { unless: HELP, writes: 'rest' } as ProgramSpec),
  chown: { unless: HELP, writes: 'rest' },
  dd: { unless: HELP, judge: dd },
  tar: {
    unless: HELP,
    withValue: '-f --file -C --directory --exclude --one-top-level -T -X',
    flags: {
      inline_code:
        '--to-command --checkpoint-action --use-compress-program -I --info-script --new-volume-script -F --rsh-command',
      outside_worktree: '-P --absolute-names --absolute-paths',
    },
    judge: tar,
  },
  ...each('bsdtar gtar', { withValue: '-f --file -C --directory --exclude', judge: tar } as ProgramSpec),
  unzip: { writeOptions: '-d', withValue: '-x', flags: {} },
  zip: {
    writes: 'all',
    withValue: '-x -i',
    flags: { inline_code: '-T --unzip-command' },
    judge: (call, args) => {
      for (const word of args.operands.slice(1)) checkTreeRead(call.session, call.state, word)
    },
  },
  ...each('cpio pax', { always: 'outside_worktree', unless: `${HELP} -t --list` } as ProgramSpec),
  ...each('ffmpeg convert magick xxd gs img2pdf', { writes: 'last', unless: HELP } as ProgramSpec),
  ...each('less more most', {
    judge: (call: Call) => {
      for (const word of call.words) if (/^\+/.test(word.value)) call.session.report('inline_code', word)
    },
  } as ProgramSpec),
  man: { mentions: true, withValue: '-P --pager', flags: { inline_code: '-P --pager -H --html' } },
  ...each('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4', {
    unless: HELP,
    writes: 'all',
  } as ProgramSpec),
  '7z': { writes: 'rest', writeOptions: '-o' },
  ...each('sed gsed', SED),
  sort: {
    writeOptions: '-o --output',
    withValue: '-k -t -T -S',
    flags: { inline_code: '--compress-program' },
  },
  ...each('uniq', { writes: 'rest', withValue: '-f -s -w' } as ProgramSpec),
  split: { writes: 'rest', withValue: '-b -l -n -C -a', flags: { inline_code: '--filter' } },
  csplit: { writeOptions: '-f --prefix' },
  patch: {
    writes: 'all',
    writeOptions: '-o --output -r --reject-file -d --directory',
    withValue: '-i -p',
  },
  script: { always: 'inline_code' },
  rename: { always: 'inline_code' },
  mktemp: { mentions: true },
  ...each('echo printf', { mentions: true } as ProgramSpec),
  ...each('cd chdir pushd popd read mapfile readarray getopts', { mentions: true } as ProgramSpec),
  ...each('ls ll dir stat test [ basename dirname realpath readlink file which type true false : pwd', {
    mentions: true,
  } as ProgramSpec),
  ...each('prettier eslint gofmt goimports clang-format shfmt biome', {
    writes: 'all',
    writesOnlyWith: '--write -w --fix -i --in-place',
    withValue: '--ext -o --output-file',
    judge: formatted,
    loads: '-c --config --rulesdir --plugin --resolve-plugins-relative-to --parser -f --format',
  } as ProgramSpec),
  ...each('rustfmt black isort autopep8 yapf', {
    writes: 'all',
    withValue: '-l --line-length -t -c --config',
  } as ProgramSpec),
  ...each('grep egrep fgrep zgrep', GREP),
  ...each('rg ag ack', { ...GREP, flags: { inline_code: '--pre --hostname-bin --pager' } } as ProgramSpec),
  ruff: {
    sub: {
      format: { writes: 'all' },
      check: { writes: 'all', writesOnlyWith: '--fix', withValue: '--select --ignore --config' },
    },
  },
  jq: { judge: jq },
  yq: {
    judge: (call) => {
      for (const word of call.words)
        if (/\b(?:str)?env\s*\(|\$ENV|\benvsubst\b|\bload\w*\s*\(/.test(word.value))
          call.session.report('secret_access', word)
    },
  },
  ...each('ed ex vi vim nvim nano emacs view pico', { always: 'inline_code', unless: HELP } as ProgramSpec),
}
