import { execa } from 'execa'
import { isAbsolute } from 'node:path'
import { TASK_MARK } from '../../shared/domain/task.ts'

/** What executors find on this machine as the person would. Proxy values may hold a password. */
export interface BaseEnvironment {
  path: string
  proxies: Readonly<Record<string, string>>
  /** Why the login shell could not be asked; the process's own values are used then. */
  problem?: string
}

interface LoginShell {
  shell: string
  environment: NodeJS.ProcessEnv
  timeoutMs?: number
}

const START_MARK = 'handoff-environment-begins'
const END_MARK = 'handoff-environment-ends'
/** Constant text that sh, bash, zsh, fish and tcsh read alike. */
const COMMAND = `echo; echo ${START_MARK}; /usr/bin/env -0; echo; echo ${END_MARK}`
const TIMEOUT_MS = 5_000
const OUTPUT_MAX_BYTES = 4 * 1024 * 1024
const PROXY_NAMES = ['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'no_proxy']

/**
 * Asks the person's login shell for PATH and the proxy variables, as a terminal would get them. Under a service manager
 * the process's own are poor. Never throws; takes at most about twice `timeoutMs`.
 */
export async function resolveBaseEnvironment(call: LoginShell): Promise<BaseEnvironment> {
  const interactive = await askShell(call, '-ilc')
  if (interactive.kind === 'answer') return baseOf(interactive.variables, call.environment)
  // An rc file that cannot live without a terminal is skipped by a shell that is not interactive.
  const plain = await askShell(call, '-lc')
  const own = ownValues(call.environment)
  if (plain.kind === 'answer') {
    return {
      ...baseOf(plain.variables, call.environment),
      problem: `${call.shell} -ilc ${interactive.why}; what its interactive start-up files set is missing.`,
    }
  }
  return { ...own, problem: `The login shell ${call.shell} ${plain.why}; agentd's own PATH is used.` }
}

type ShellAnswer = { kind: 'answer'; variables: Map<string, string> } | { kind: 'failed'; why: string }

async function askShell(
  { shell, environment, timeoutMs = TIMEOUT_MS }: LoginShell,
  flags: string,
): Promise<ShellAnswer> {
  if (!isAbsolute(shell)) return { kind: 'failed', why: 'is not an absolute path' }
  const child = execa(shell, [flags, COMMAND], {
    env: shellEnvironment(environment),
    extendEnv: false,
    cwd: environment['HOME'] ?? '/',
    stdin: 'ignore',
    stderr: 'ignore',
    reject: false,
    encoding: 'latin1',
    maxBuffer: OUTPUT_MAX_BYTES,
    // A session of its own: no terminal to stop it, and a group that can be ended as one.
    detached: true,
  })
  let timedOut = false
  const killGroup = () => {
    if (child.pid !== undefined) endGroup(child.pid)
  }
  const timer = setTimeout(() => {
    timedOut = true
    killGroup()
    // Something that left the group may hold the pipe open.
    child.stdout.destroy()
  }, timeoutMs)
  const result = await child
  clearTimeout(timer)
  killGroup()
  const variables = readAnswer(typeof result.stdout === 'string' ? result.stdout : '')
  if (variables !== undefined) return { kind: 'answer', variables }
  if (timedOut) return { kind: 'failed', why: `did not answer within ${timeoutMs} ms` }
  if (result.code === 'ENOENT') return { kind: 'failed', why: 'does not exist' }
  return {
    kind: 'failed',
    why: `ended with ${result.exitCode ?? result.signal ?? result.code ?? 'an error'}`,
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** Start-up files may print whatever they like around the marked part. */
function readAnswer(stdout: string): Map<string, string> | undefined {
  const start = stdout.lastIndexOf(`\n${START_MARK}\n`)
  const end = stdout.lastIndexOf(`\n${END_MARK}`)
  if (start < 0 || end < start) return undefined
  const text = Buffer.from(stdout.slice(start + START_MARK.length + 2, end), 'latin1').toString('utf8')
  const pairs = text.split('\0').flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=')
    return equals <= 0 ? [] : [[pair.slice(0, equals), pair.slice(equals + 1)]]
  })
  const variables = new Map(pairs)
  return variables.get('PATH') === undefined ? undefined : variables
}

function baseOf(variables: ReadonlyMap<string, string>, environment: NodeJS.ProcessEnv): BaseEnvironment {
  const own = ownValues(environment)
  const found = proxiesOf((name) => variables.get(name))
  return { path: variables.get('PATH') ?? own.path, proxies: { ...own.proxies, ...found } }
}

function ownValues(environment: NodeJS.ProcessEnv): BaseEnvironment {
  return {
    path: environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    proxies: proxiesOf((name) => environment[name]),
  }
}

/** Every proxy variable in both spellings, because programs disagree about which one counts. */
function proxiesOf(lookUp: (name: string) => string | undefined): Record<string, string> {
  const proxies: Record<string, string> = {}
  for (const lower of PROXY_NAMES) {
    const upper = lower.toUpperCase()
    const value = lookUp(lower) || lookUp(upper)
    if (value === undefined || value === '') continue
    proxies[lower] = value
    proxies[upper] = value
  }
  return proxies
}

const PLAIN_NAMES = [
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'TZ',
  'DBUS_SESSION_BUS_ADDRESS',
]
const PLAIN_PATTERN = /^(XDG_[A-Z_]+|LC_[A-Z]+)$/

function plainValues(environment: NodeJS.ProcessEnv): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && (PLAIN_NAMES.includes(name) || PLAIN_PATTERN.test(name))) plain[name] = value
  return plain
}

function shellEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = ownValues(environment)
  // Start-up files that open a tmux or print a picture can see that nobody is looking.
  return { ...plainValues(environment), PATH: own.path, TERM: 'dumb', HANDOFF_RESOLVING_ENVIRONMENT: '1' }
}

/**
 * The complete environment of an executor's processes: who the person is, the login shell's PATH and proxies, then the
 * values of environment files, then the task's mark. Nothing else of agentd's own environment is passed on.
 */
export function executorEnvironment(call: {
  base: BaseEnvironment
  files: Readonly<Record<string, string>>
  taskId: string
  /** agentd's own environment. */
  environment: NodeJS.ProcessEnv
}): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    ...plainValues(call.environment),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PATH: call.base.path,
    ...call.base.proxies,
    ...call.files,
    ...proxiesOf((name) => call.files[name]),
    [TASK_MARK]: call.taskId,
  }
}
