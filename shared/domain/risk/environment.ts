import { MARK } from './marks.ts'
import { isInside, resolvePath } from './paths.ts'
import { type Span, type Session } from './session.ts'
import { type RiskReason } from './types.ts'

/** One assignment: of the shell (`lasting`) or in front of one command. */
export type Assignment = { name: string; values: readonly string[]; place: Span; lasting: boolean }

type Rule = { names: RegExp; reason: RiskReason; harmless?: (value: string, session: Session) => boolean }

const noEditor = (value: string) => /^(?:true|:|cat|)$/.test(value)

/** Every entry of a search path is the old path, a system folder, or where a package manager puts the project's own tools. */
function isProjectPath(value: string, session: Session): boolean {
  return value.split(':').every((entry) => {
    if (entry === MARK.unknown || entry === MARK.unknownWords) return true
    if (/^(?:\/usr(?:\/local)?)?\/s?bin$|^\/opt\/homebrew\/bin$/.test(entry)) return true
    const path = resolvePath(entry, session.scope.worktree, session.scope)
    return (
      isInside(path, session.scope.worktree) &&
      /\/(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/.test(path)
    )
  })
}

/** Variables that change what a later program loads, runs, trusts or skips. The first rule that fits decides. */
const RULES: readonly Rule[] = [
  { names: /^PATH$/, reason: 'environment', harmless: isProjectPath },
  { names: /^(?:HUSKY|LEFTHOOK)$/, reason: 'hooks_ci', harmless: (value) => value === '1' },
  { names: /^(?:HUSKY_SKIP_\w+|PRE_COMMIT_ALLOW_NO_CONFIG|SKIP|LEFTHOOK_EXCLUDE)$/, reason: 'hooks_ci' },
  { names: /^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|AUTHOR_\w+|COMMITTER_\w+|TRACE\w*|ADVICE|LITERAL_PATHSPECS)$/, reason: 'environment', harmless: () => true },
  { names: /^GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR)$|^(?:EDITOR|VISUAL|PAGER|BROWSER|MANPAGER)$/, reason: 'environment', harmless: noEditor },
  { names: /^GIT_/, reason: 'environment' },
  { names: /^(?:LD|DYLD)_/, reason: 'environment' },
  { names: /^(?:BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS[0-4]|CDPATH|SHELL|HOME|ZDOTDIR|BASH_FUNC_.*|SSH_ASKPASS|SUDO_ASKPASS|LESSOPEN|LESSCLOSE)$/, reason: 'environment' },
  {
    names: /^NODE_OPTIONS$/,
    reason: 'environment',
    harmless: (value) => value.split(/\s+/).every((word) => /^(?:|--(?:max-old-space-size=\d+|experimental-[\w-]+|no-[\w-]+|trace-[\w-]+|enable-source-maps|unhandled-rejections=\w+))$/.test(word)),
  },
  { names: /^NODE_TLS_REJECT_UNAUTHORIZED$/, reason: 'environment', harmless: (value) => value === '1' },
  { names: /^(?:PYTHONSTARTUP|PYTHONHOME|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|NODE_PATH)$/, reason: 'environment' },
  { names: /^(?:RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_HOME|GOFLAGS|GOPROXY|GONOSUMDB|GOINSECURE|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|UV_INDEX_URL|MAKEFLAGS)$/, reason: 'environment' },
  {
    names: /^PYTHONPATH$/,
    reason: 'environment',
    harmless: (value, session) => value.split(':').every((entry) => entry === MARK.unknown || isInside(resolvePath(entry, session.scope.worktree, session.scope), session.scope.worktree)),
  },
  { names: /^npm_config_(?:yes|loglevel|fund|audit|progress|color|update_notifier)$/i, reason: 'environment', harmless: () => true },
  { names: /^npm_config_/i, reason: 'environment' },
  { names: /^(?:PGHOST|PGSERVICE|PGHOSTADDR|MYSQL_HOST|DATABASE_URL)$/, reason: 'database', harmless: (value) => /^(?:localhost|127\.0\.0\.1)$|@?(?:localhost|127\.0\.0\.1)[:/]|^(?:file|sqlite):/.test(value) },
  { names: /^(?:DOCKER_HOST|DOCKER_CONTEXT|KUBECONFIG|AWS_(?:PROFILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN))$/, reason: 'production' },
  { names: /^CARGO_(?:TARGET_\w+_(?:RUNNER|LINKER|RUSTFLAGS)|BUILD_RUST\w+)$/, reason: 'environment' },
  { names: /^(?:CARGO_ENCODED_)?RUST(?:DOC)?FLAGS$/, reason: 'environment', harmless: (value) => !/link|plugin|load|-Z|@/i.test(value) },
  { names: /^(?:CC|CXX|LD|AR|AS|CPP|FC|RUSTC|RUSTDOC)$/, reason: 'environment', harmless: (value) => /^(?:(?:ccache|sccache) )?[\w+-][\w+.-]*(?: -[\w=.+-]+)*$/.test(value) },
  { names: /^(?:SSL_CERT_(?:FILE|DIR)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|OPENSSL_(?:CONF|ENGINES|MODULES)|CURL_HOME|WGETRC|HOSTALIASES)$/, reason: 'environment' },
  { names: /^(?:PIP_(?:CONFIG_FILE|TARGET|PREFIX|TRUSTED_HOST|FIND_LINKS)|UV_(?:\w*INDEX\w*|CONFIG_FILE)|YARN_\w*REGISTRY\w*|BUN_CONFIG_\w+|COREPACK_NPM_REGISTRY|GONOSUMCHECK|GOTOOLCHAIN|GOROOT|GOENV|GOBIN|GEM_HOME|GEM_PATH|BUNDLE_GEMFILE)$/, reason: 'environment' },
  { names: /^(?:PYTEST_(?:ADDOPTS|PLUGINS)|PYTHON(?:BREAKPOINT|USERBASE|INSPECT|EXECUTABLE)|DOTNET_STARTUP_HOOKS|CORE?(?:CLR)?_PROFILER\w*|JAVA_OPTS|LUA_INIT\w*|LUA_C?PATH\w*|PHPRC|PHP_INI_SCAN_DIR|ERL_\w*FLAGS|ELIXIR_ERL_OPTIONS|R_(?:PROFILE|ENVIRON)\w*|VIMINIT|EXINIT|GVIMINIT|PSQLRC|PSQL_(?:EDITOR|PAGER))$/, reason: 'environment' },
  { names: /^(?:MAVEN|GRADLE)_OPTS$/, reason: 'environment', harmless: (value) => !/agent|-D/i.test(value) },
  { names: /^LESS$/, reason: 'environment', harmless: (value) => /^-?[A-Za-z]*$/.test(value) },
  { names: /^(?:MAKEFILES|TAR_OPTIONS|RSYNC_RSH|CVS_RSH|SVN_SSH|GCC_EXEC_PREFIX|COMPILER_PATH|AWKPATH|AWKLIBPATH|XDG_CONFIG_(?:HOME|DIRS)|XDG_DATA_HOME|INPUTRC|LESSEDIT|HISTFILE|FCEDIT|FPATH|HANDOFF_\w+)$/, reason: 'environment' },
  { names: /^(?:https?|all|ftp)_proxy$/i, reason: 'environment', harmless: (value) => value === '' },
] // prettier-ignore

/** Reports an assignment that changes what programs do, or that hides code in a value. */
export function judgeAssignment(session: Session, { name, values, place, lasting }: Assignment): void {
  const rule = RULES.find((candidate) => candidate.names.test(name))
  if (rule && !values.every((value) => rule.harmless?.(value, session))) session.report(rule.reason, place)
  // Arithmetic runs what stands between brackets in a variable's value.
  if (values.some((value) => /\[[^\]]*(?:\$\(|`)/.test(value))) session.report('unreadable', place)
  if (name === 'IFS' && lasting) session.report('unresolved', place)
}
