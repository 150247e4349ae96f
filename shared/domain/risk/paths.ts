import { componentMatcher, hasGlob, hasUnknown, MARK } from './marks.ts'
import { type RiskReason } from './types.ts'

/** Folders that a path is judged against; absolute. */
export type PathScope = { worktree: string; home: string }

/** `path` as an absolute path without `.` and `..`, read from `cwd`. Links are not followed: only text is known here. */
export function resolvePath(path: string, cwd: string, scope: PathScope): string {
  const homely = path === '~' || path.startsWith('~/') ? scope.home + path.slice(1) : path
  const parts: string[] = []
  for (const part of (homely.startsWith('/') ? homely : `${cwd}/${homely}`).split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && /[\uE010-\uE012]/.test(parts.at(-1) ?? '')) parts.push(MARK.unknown)
    else if (part === '..') parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Whether `path` is `folder` or lies below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

const HARMLESS_SINKS = /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/
const CI_FILES = [
  '.github/workflows', '.github/actions', '.gitlab-ci.yml', '.circleci', '.travis.yml', 'azure-pipelines.yml',
  'bitbucket-pipelines.yml', '.buildkite', '.drone.yml', '.woodpecker', '.woodpecker.yml', '.gitea/workflows', '.forgejo/workflows',
  'Jenkinsfile', 'appveyor.yml', '.husky', '.githooks', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', '.overcommit.yml',
] // prettier-ignore

/** Settings by which agents, editors and containers run things by themselves, or run them without asking. */
const AGENT_FILES = [
  '.claude/settings.json', '.claude/settings.local.json', '.claude/hooks', '.opencode', 'opencode.json', 'opencode.jsonc', '.codex',
  '.mcp.json', '.gemini/settings.json', '.cursor/mcp.json', '.cursor/hooks.json', '.vscode/tasks.json', '.devcontainer',
] // prettier-ignore

/** Whether the path, relative to the worktree, is one of the files or lies in one of the folders. */
function isOneOf(files: readonly string[], inner: string): boolean {
  const lower = inner.toLowerCase()
  return files.some((file) => {
    const wanted = file.toLowerCase().split('/')
    const parts = lower.split('/').slice(0, wanted.length)
    return (
      parts.length === wanted.length &&
      !parts.includes(MARK.listed) &&
      parts.every((part, i) => componentMatcher(part)(wanted[i] ?? ''))
    )
  })
}

/** What is done to a path. `tree`: with everything below it; `builds`: the content comes from the project's sources. */
export type WriteKind = { deletes: boolean; tree: boolean; builds?: boolean }

/** Judges writing to or deleting `path` (absolute, may hold marks). Nothing means routine. */
export function judgeWrite(path: string, kind: WriteKind, scope: PathScope): RiskReason | undefined {
  if (HARMLESS_SINKS.test(path)) return undefined
  if (/^\/dev\/(tcp|udp)\//.test(path)) return 'data_send'
  const parts = path.split('/')
  if (parts.some((part) => componentMatcher(part)('.git') && !hasUnknown(part))) return 'git_internals'
  if (hasUnknown(path)) return 'unresolved'
  if (path === scope.worktree) return kind.deletes ? 'worktree_delete' : undefined
  if (!isInside(path, scope.worktree)) return 'outside_worktree'
  const inner = path.slice(scope.worktree.length + 1)
  if (kind.deletes && kind.tree && (inner === MARK.star || inner === MARK.listed)) return 'worktree_delete'
  const holdsHooks =
    kind.deletes && CI_FILES.some((file) => file.toLowerCase().startsWith(`${inner.toLowerCase()}/`))
  if (holdsHooks || isOneOf(CI_FILES, inner)) return 'hooks_ci'
  return isOneOf(AGENT_FILES, inner) ? 'config_change' : undefined
}

const SECRET_NAMES = [
  '.env', '.envrc', '.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.my.cnf', '.git-credentials', '.dockercfg', '.htpasswd',
  '.vault-token', '.terraformrc', '.yarnrc.yml', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ed25519_sk', 'credentials.json',
  'service-account.json', 'kubeconfig', 'secrets.yml', 'secrets.yaml', 'secrets.json', 'auth.json', '.credentials.json',
  'master.key', 'terraform.tfstate', 'logins.json', 'key4.db', 'cookies.sqlite', 'login data', '.env.local', '.env.production', '.env.development', '.bash_history', '.zsh_history',
] // prettier-ignore
const SECRET_FOLDERS = [
  '.ssh', '.aws', '.gnupg', '.kube', '.docker', '.azure', '.password-store', 'keyrings', 'keychains', '.1password', '.op', '.terraform.d', '.mozilla',
] // prettier-ignore
const SECRET_PATHS = [
  '.config/gcloud', '.config/gh', '.config/op', '.config/github-copilot', '.config/google-chrome', '.config/chromium', 'library/cookies', '.config/hub', '.config/rclone', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials',
  'etc/shadow', 'etc/gshadow', 'etc/sudoers', 'etc/ssl/private', 'run/secrets', 'etc/kubernetes', '.m2/settings.xml',
] // prettier-ignore
const SECRET_PATTERNS = [
  /^\.env\.(?!(?:.*\.)?(?:example|sample|template|dist|defaults?|schema)$)/i,
  /\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|tfstate|tfvars|key)$/i,
  /^[^.].*\.env$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/i,
]
const SAMPLE = /(?:^|\.)(?:example|sample|template|dist)(?:\.|$)|\.pub$/i

function hasSequence(parts: readonly string[], wanted: readonly string[]): boolean {
  return parts.some((_part, at) => wanted.every((name, i) => mayBe(parts[at + i] ?? '', name)))
}

/** Whether a component with a pattern in it could stand for `name`. A bare `*` is no reason for alarm: it skips dot files. */
function mayBe(part: string, name: string): boolean {
  if (!hasGlob(part)) return part.toLowerCase() === name
  return !/^\uE000+$/.test(part) && !/^[\uE000-\uE00F]*\.\w+$/.test(part) && componentMatcher(part)(name)
}

/** Whether `path` (absolute, may hold marks) names keys, tokens or another person's secrets. */
export function isSecretPath(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '' && part !== MARK.listed)
  const last = parts.at(-1) ?? ''
  const process = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/([^/]+)$/.exec(path)?.[1]
  if (process && ['environ', 'mem', 'auxv'].some(componentMatcher(process))) return true
  if (parts.some((part) => SECRET_FOLDERS.some((name) => mayBe(part, name)))) return !last.endsWith('.pub')
  const lower = parts.map((part) => part.toLowerCase())
  if (SECRET_PATHS.some((secret) => hasSequence(lower, secret.split('/')))) return true
  if (SAMPLE.test(last)) return false
  return (
    SECRET_NAMES.some((name) => mayBe(last, name)) || SECRET_PATTERNS.some((pattern) => pattern.test(last))
  )
}
