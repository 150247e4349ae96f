import { findOptions, type Args } from '../args.ts'
import { hasUnknown } from '../marks.ts'
import { checkLoad, checkWrite } from '../targets.ts'
import { type Call, each, type ProgramSpec, type SubSpec, wholeCall } from '../spec.ts'

const INFO = '--version -v --help -h'
const GLOBAL = { system_change: '-g --global --location=global' } as const

/** A package named by an address instead of a name: nobody has published it under a name that others check. */
const ADDRESS =
  /(?:^|[^@]@|@\s*)(?:git\+|https?:|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)|^(?:git\+|https?:|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)/i

function namesAddress(call: Call, args: Args): void {
  for (const word of args.operands) if (ADDRESS.test(word.value)) call.session.report('download_run', word)
}

/** npm reads `owner/name` as a repository on GitHub. */
function installed(call: Call, args: Args): void {
  namesAddress(call, args)
  for (const word of args.operands)
    if (/^[A-Za-z0-9][\w.-]*\/[\w.-]+(?:#.*)?$/.test(word.value)) call.session.report('download_run', word)
}

/** Sub-commands that install the project's packages. */
export const installs = (list: string): Record<string, SubSpec> =>
  each(list, { flags: GLOBAL, mentions: true, judge: installed } as ProgramSpec)
const accounts = (list: string) => each(list, 'config_change' as const)
const publishes = (list: string) => each(list, 'publish' as const)

/** `npx name` runs the project's own tool when it is installed, and otherwise downloads one; only known project tools pass. */
const PROJECT_TOOLS = new Set(
  (
    'tsc vitest jest mocha ava tap eslint prettier biome oxlint knip stylelint playwright cypress rollup vite webpack esbuild turbo nx lerna ' +
    'next nuxt astro svelte-check vue-tsc tsx ts-node tsup babel swc nyc c8 markdownlint cspell typedoc api-extractor husky lint-staged ' +
    'commitlint tailwindcss postcss sass mkdirp rimraf cross-env concurrently nodemon prisma drizzle-kit storybook size-limit depcheck madge'
  ).split(' '),
)

function npx(call: Call, args: Args): void {
  const inline = findOptions(args, ['-c', '--call'])[0]
  if (inline?.value) return call.script(inline.value.value, inline.value)
  const isLocalOnly = args.options.some(
    ({ name }) => name === '--no-install' || name === '--no' || name === '--offline',
  )
  const asksPackage = findOptions(args, ['-p', '--package'])[0]
  const [first, ...rest] = args.operands
  if (asksPackage && !isLocalOnly) call.session.report('download_run', asksPackage.value ?? asksPackage.word)
  if (!first) return
  if (!isLocalOnly && !PROJECT_TOOLS.has(first.value))
    call.session.report(hasUnknown(first.value) ? 'unresolved' : 'download_run', first)
  call.run([first, ...rest])
}

/** `npm create x` fetches and runs `create-x`. */
export function starter(call: Call, args: Args): void {
  const [first] = args.operands
  if (first) call.session.report('download_run', first)
}

const NPX: ProgramSpec = {
  unless: INFO,
  wraps: { skip: 1_000_000 },
  withValue: '-p --package -c --call -w --workspace',
  judge: npx,
}
/** `npm exec`, `bun x`. */
export const EXEC: SubSpec = NPX

/** A script or target whose name says that it leaves the project. */
function namedScript(call: Call, args: Args): void {
  const [first] = args.operands
  if (first && /^(?:deploy|publish|release)(?:[:_-].*)?$/i.test(first.value))
    call.session.report('publish', first)
}

/** `yarn x` and `pnpm x` run a script or an installed tool called x. */
const runScript: SubSpec = { mentions: true, judge: namedScript }

/** `npm pkg set` writes the file that says what `npm test` runs. */
function editsManifest(call: Call): void {
  checkWrite(call.session, call.state, {
    word: { ...call.name, value: './package.json' },
    kind: { deletes: false, tree: false },
  })
}

const JS: Record<string, SubSpec> = {
  ...publishes('publish unpublish deprecate dist-tag'),
  ...accounts('login logout adduser add-user token owner access team org profile star trust hook'),
  ...installs('install i add ci update up upgrade remove rm uninstall un link unlink rebuild dedupe prune isntall in install-test it'),
  ...each('exec x dlx', EXEC),
  ...each('create init innit', { mentions: true, judge: starter } as ProgramSpec),
  c: { sub: { ...each('get list ls', 'routine' as const), ...accounts('set delete edit') } },
  config: { sub: { ...each('get list ls', 'routine' as const), ...accounts('set delete edit fix unset') } },
  ...accounts('set'),
  pkg: { sub: { get: 'routine', set: { mentions: true, judge: editsManifest }, delete: { mentions: true, judge: editsManifest } } },
  run: runScript,
  'run-script': runScript,
  rum: runScript,
  explore: { wraps: { skip: 1 } },
  npm: { sub: { publish: 'publish', login: 'config_change', tag: 'publish' } },
  global: 'system_change',
  env: 'system_change',
  setup: 'system_change',
  self: 'system_change',
} // prettier-ignore

/** These options may stand anywhere before `--`. */
function everywhere(call: Call): void {
  const end = call.words.findIndex((word) => word.value === '--')
  const words = end < 0 ? call.words : call.words.slice(0, end)
  for (const [at, word] of words.entries()) {
    if (/^--(?:registry|userconfig|globalconfig)(?:=|$)/.test(word.value))
      call.session.report('config_change', word)
    if (/^--(?:script-shell|node-options|shell)(?:=|$)/.test(word.value))
      call.session.report('inline_code', word)
    const folder = /^--(?:prefix|cwd|dir)(?:=(.*)|$)/.exec(word.value)
    const target = folder?.[1] === undefined ? words[at + 1] : { ...word, value: folder[1] }
    if (folder && target)
      checkWrite(call.session, call.state, { word: target, kind: { deletes: false, tree: false } })
  }
}

const JS_TOOL: ProgramSpec = { unless: INFO, manifests: 'package.json .npmrc', withValue: '--prefix -C --dir --cwd -w --workspace --filter -F --loglevel --registry', flags: GLOBAL, writeOptions: '-C', judge: everywhere, sub: JS } // prettier-ignore

function pip(call: Call, args: Args): void {
  namesAddress(call, args)
  for (const option of findOptions(args, ['-e', '--editable', '-r', '--requirement']))
    if (option.value && ADDRESS.test(option.value.value)) call.session.report('download_run', option.value)
  for (const option of findOptions(args, [
    '--user',
    '--system',
    '--break-system-packages',
    '--target',
    '-t',
    '--prefix',
    '--root',
  ]))
    call.session.report('system_change', option.word)
  for (const option of findOptions(args, ['-i', '--index-url', '--extra-index-url', '--trusted-host']))
    call.session.report('config_change', option.word)
}

const PIP: ProgramSpec = { unless: INFO, sub: { install: { mentions: true, withValue: '-r -c -e -t --target -i --index-url --extra-index-url --trusted-host --prefix --root', judge: pip }, config: { sub: each('set unset edit', 'config_change' as const) }, uninstall: { mentions: true, flags: { system_change: '--break-system-packages --user --system' } }, download: 'routine' } } // prettier-ignore

/** `--config` may stand behind the sub-command too, and can name a program to run. */
function cargo(call: Call): void {
  for (const word of call.words) {
    if (word.value === '--') return
    if (/^--config(?:=|$)/.test(word.value)) call.session.report('inline_code', word)
  }
}

const UPLOADS: ProgramSpec = { always: 'publish', unless: INFO }

const goals =
  (pattern: RegExp) =>
  (call: Call): void => {
    for (const word of call.words) if (pattern.test(word.value)) call.session.report('publish', word)
  }

function docker(call: Call): void {
  if (call.words.some((word) => /^(?:--push|type=registry|--output=type=registry.*)$/.test(word.value)))
    call.session.report('publish', wholeCall(call))
}

const BUILD: ProgramSpec = {
  judge: (call, args) => {
    docker(call)
    for (const word of args.operands)
      if (/^(?:https?:|git[:@])/.test(word.value)) call.session.report('download_run', word)
    for (const option of findOptions(args, ['-o', '--output'])) {
      const value = /(?:^|,)dest=([^,]+)/.exec(option.value?.value ?? '')?.[1] ?? option.value?.value ?? ''
      if (value && !value.includes('type=') && value !== '-')
        checkWrite(call.session, call.state, {
          word: { ...option.word, value },
          kind: { deletes: false, tree: false },
        })
    }
  },
  withValue:
    '-f --file -t --tag --build-arg --target --platform -o --output --secret --ssh --cache-from --cache-to --build-context',
  flags: { secret_access: '--secret --ssh', privilege: '--allow' },
  mentions: true,
}
const DANGEROUS_MOUNTS = { production: '-H --host -c --context' } as const
const DOCKER: ProgramSpec = {
  unless: INFO,
  withValue: '-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file',
  flags: DANGEROUS_MOUNTS,
  sub: {
    ...publishes('push'),
    ...accounts('login logout context plugin trust'),
    ...each('run exec create cp commit start attach kill stop restart rm rmi pause unpause update rename load import save export wait', 'system_change' as const),
    ...each('swarm service stack node secret config', 'production' as const),
    ...each('system volume network container image builder', { sub: { ...each('ls list ps inspect df info events history logs stats top port', 'routine' as const), push: 'publish' }, otherwise: 'system_change' } as ProgramSpec),
    ...each('ps images logs inspect version info search stats top port diff history events', 'routine' as const),
    build: BUILD,
    buildx: { sub: { build: BUILD, ...each('ls inspect version du', 'routine' as const) }, otherwise: 'system_change' },
    pull: 'routine',
    compose: { withValue: '-f --file -p --project-name --profile --env-file', sub: { push: 'publish', ...each('ps logs config images ls top port version build pull', 'routine' as const) }, otherwise: 'system_change' },
  },
  otherwise: 'system_change',
} // prettier-ignore

const GH_READS = each('view list status diff checks', 'routine' as const)
const forge = (otherwise: 'push_shared' | 'publish' | 'config_change'): ProgramSpec => ({
  sub: GH_READS,
  otherwise,
})

/** Package managers, builders and publishers. */
export const PACKAGES: Record<string, ProgramSpec> = {
  ...each('npm pnpm yarn cnpm', JS_TOOL),
  ...each('npx pnpx bunx', NPX),
  ...each('uvx pipx', { always: 'download_run', unless: INFO } as ProgramSpec),
  ...each('pip', PIP),
  uv: { unless: INFO, sub: { pip: PIP, publish: 'publish', tool: 'download_run', self: 'system_change', python: 'system_change', run: { wraps: { skip: 0 }, withValue: '--with --python -p --extra --group', flags: { download_run: '--with' } }, x: 'download_run' } },
  ...each('poetry hatch pdm rye', { sub: { publish: 'publish', config: 'config_change', run: { wraps: { skip: 0 } }, self: 'system_change' } } as ProgramSpec),
  pipenv: { sub: { run: { wraps: { skip: 0 } } } },
  ...each('conda mamba micromamba', { unless: INFO, sub: { ...each('list info search', 'routine' as const), env: { sub: each('list export', 'routine' as const), otherwise: 'system_change' }, run: { wraps: { skip: 0 }, withValue: '-n --name -p --prefix' } }, otherwise: 'system_change' } as ProgramSpec),
  easy_install: { always: 'system_change', unless: INFO },
  twine: { sub: { check: 'routine' }, otherwise: 'publish', unless: INFO },
  flit: { sub: { build: 'routine' }, otherwise: 'publish' },
  cargo: { unless: INFO, manifests: 'build.rs Cargo.toml .cargo/config.toml', withValue: '-C --config -Z', judge: cargo, sub: { ...publishes('publish yank owner'), ...accounts('login logout'), install: 'system_change', uninstall: 'system_change' } },
  rustup: { sub: each('show which', 'routine' as const), otherwise: 'system_change' },
  go: { sub: { install: 'system_change', env: { flags: { config_change: '-w -u' } }, run: { longDash: true, flags: { inline_code: '-exec -toolexec' }, judge: (call, args) => { const first = args.operands[0]; if (first?.value.includes('@')) call.session.report('download_run', first); for (const word of args.operands) if (word.value.endsWith('.go')) checkLoad(call.session, call.state, { ...word, value: './' + word.value }) } }, ...each('test build vet generate', { longDash: true, withValue: '-o -run -exec -toolexec -vettool', flags: { inline_code: '-exec -toolexec -vettool' }, writeOptions: '-o', builds: true } as ProgramSpec) } },
  gem: { sub: { ...publishes('push yank owner'), install: 'system_change', uninstall: 'system_change', update: 'system_change', signin: 'config_change', sources: 'config_change' } },
  bundle: { sub: { exec: { wraps: { skip: 0 } }, config: 'config_change' } },
  ...each('mvn mvnw gradle gradlew', { loads: '-s -gs --settings --global-settings -I --init-script -t --toolchains', manifests: 'pom.xml build.gradle build.gradle.kts', judge: goals(/^exec:|^-Dexec\.executable|^:?(?:[\w-]+:)*(?:deploy|deploy-file|release|publish\w*|uploadArchives|bintrayUpload|closeAndRelease\w*)(?::.*)?$/) } as ProgramSpec),
  sbt: { judge: goals(/publish|release/i) },
  dotnet: { sub: { nuget: { sub: { push: 'publish', delete: 'publish' } }, tool: 'system_change', 'user-secrets': 'secret_access' } },
  nuget: { sub: { push: 'publish', delete: 'publish', setapikey: 'config_change' } },
  mix: { sub: { 'hex.publish': 'publish', ...each('ecto.drop ecto.reset ecto.rollback', 'database' as const) } },
  nx: { sub: { release: 'publish' } },
  turbo: { sub: { run: { mentions: true, judge: namedScript } } },
  ...each('composer', { sub: { global: 'system_change', config: 'config_change' } } as ProgramSpec),
  pod: { sub: { trunk: 'publish', repo: 'publish' } },
  'semantic-release': UPLOADS,
  ...each('goreleaser release-it np vsce ovsx electron-builder fastlane lerna-publish changeset-publish', { ...UPLOADS }),
  'electron-builder': { flags: { publish: '-p --publish' } },
  changeset: { sub: { publish: 'publish' } },
  lerna: { sub: { publish: 'publish', version: 'push_shared', exec: { wraps: { skip: 0 } } } },
  ...each('docker podman nerdctl', DOCKER),
  'docker-compose': DOCKER.sub?.['compose'] as ProgramSpec,
  ...each('skopeo crane oras buildah cosign regctl', UPLOADS),
  ...each('gh glab tea hub', { sub: { pr: { sub: { ...GH_READS, checkout: 'routine' }, otherwise: 'push_shared' }, mr: forge('push_shared'), issue: forge('push_shared'), release: { sub: { ...GH_READS, download: 'routine' }, otherwise: 'publish' }, run: { sub: { ...GH_READS, watch: 'routine', download: 'routine' }, otherwise: 'hooks_ci' }, workflow: { sub: GH_READS, otherwise: 'hooks_ci' }, auth: { sub: { status: { mentions: true, flags: { secret_access: '-t --show-token' } } }, otherwise: 'secret_access' }, secret: 'secret_access', variable: 'config_change', api: 'data_send', gist: 'data_send', extension: 'download_run', alias: 'config_change', config: 'config_change', ssh: 'config_change', repo: { sub: { view: 'routine', list: 'routine' }, otherwise: 'config_change' }, search: 'routine', status: 'routine', browse: 'routine' }, otherwise: 'config_change', unless: INFO } as ProgramSpec),
  ...each('pre-commit', { sub: { uninstall: 'hooks_ci', install: 'hooks_ci' } } as ProgramSpec),
  husky: { always: 'hooks_ci', unless: INFO },
  lefthook: { sub: { run: 'routine', validate: 'routine', version: 'routine' }, otherwise: 'hooks_ci' },
  ...each('nix nix-shell', { always: 'download_run', unless: INFO } as ProgramSpec),
  ...each('ninja meson', { writeOptions: '-C', manifests: 'build.ninja meson.build', judge: goals(/^(?:un)?install$/) } as ProgramSpec),
  ...each('make gmake', { writeOptions: '-C --directory', loads: '-f --file --makefile -I --include-dir', manifests: 'Makefile makefile GNUmakefile', withValue: '-j --jobs -o -W', flags: { inline_code: '-E --eval' }, judge: (call, args) => {
    for (const option of findOptions(args, ['-f', '--file', '--makefile'])) if (option.value?.value === '-') call.session.report('inline_code', option.value)
    namedScript(call, args)
    for (const word of args.operands) {
      if (/^(?:un)?install(?:-.*)?$/.test(word.value)) call.session.report('system_change', word)
    }
    for (const word of args.operands) if (/^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS)[:+?]?=/.test(word.value)) call.session.report('environment', word)
    // A variable that is given here lands in the shell lines of the recipes.
    for (const word of args.operands) if (/^[\w.-]+[:+?!]?=[\s\S]*(?:[;&|`<>\n]|\$\()/.test(word.value) || /^[\w.-]+!=/.test(word.value)) call.session.report('inline_code', word)
  } } as ProgramSpec),
} // prettier-ignore
