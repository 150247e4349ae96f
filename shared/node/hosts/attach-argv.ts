import { AppError } from '../../errors.ts'
import type { HostAddress } from '../host-client/address.ts'

/** A tmux session on a host, and how the host is reached. */
export interface AttachTarget {
  address: HostAddress
  sshConfig?: string | undefined
  session: string
  /** TMUX_TMPDIR of the session's server; the default server without it. */
  socketDir: string | undefined
  /** The client may look and not type. */
  readOnly?: boolean | undefined
  /** Of the tmux there, as `tmux -V` says it. Where it is known and new enough, all colours come through. */
  version?: string | undefined
}

/** For a terminal that comes back by itself: a dead connection is noticed, and `~.` is input like any other. */
const UNATTENDED = ['-e', 'none', '-o', 'ServerAliveInterval=15', '-o', 'ConnectTimeout=10']

/**
 * The program that shows a session of another machine on this terminal: `ssh` with a terminal of its own, asking the
 * person where it has to. Throws `usage` for a host that is not reached over ssh.
 */
export function sshAttachArgv(target: AttachTarget, terminalFlag: '-t' | '-tt' = '-t'): string[] {
  const { address, sshConfig, session, socketDir, readOnly = false, version } = target
  if (address.kind !== 'ssh') throw noScreen(session)
  // `env` and not an assignment: the login shell there may be one that has no such syntax.
  const folder = socketDir === undefined ? '' : `env TMUX_TMPDIR=${quoteAlways(socketDir)} `
  // ssh rarely carries the locale along; without -u tmux would show every other script as underscores.
  const remoteCommand = `${folder}${tmuxProgram(version).join(' ')} attach-session ${readOnly ? '-r ' : ''}-t ${quoteAlways(`=${session}`)}`
  // Without -T and BatchMode: here a person sits at the terminal.
  return [
    'ssh',
    terminalFlag,
    ...(terminalFlag === '-tt' ? UNATTENDED : []),
    ...(sshConfig === undefined ? [] : ['-F', sshConfig]),
    ...(address.port === undefined ? [] : ['-p', String(address.port)]),
    '--',
    address.user === undefined ? address.host : `${address.user}@${address.host}`,
    remoteCommand,
  ]
}

/** The program that shows a session of this machine, in an environment that may lie inside another tmux. */
export function localAttachArgv({
  session,
  socketDir,
  readOnly = false,
  version,
}: Pick<AttachTarget, 'session' | 'socketDir' | 'readOnly' | 'version'>): string[] {
  return [
    'env',
    // From inside another tmux, tmux refuses to nest unless it is not told where it is.
    '-u',
    'TMUX',
    ...(socketDir === undefined ? [] : [`TMUX_TMPDIR=${socketDir}`]),
    ...tmuxProgram(version),
    'attach-session',
    ...(readOnly ? ['-r'] : []),
    '-t',
    `=${session}`,
  ]
}

/**
 * What xterm.js can and the terminfo entry `xterm-256color` does not tell: without it tmux takes an agent's colours to the nearest
 * of 256, and drops curly underlines and links. The last is of tmux 3.4; an older one stops reading there.
 */
const FEATURES = 'RGB,usstyle,overline,hyperlinks'

/** `-T` is of tmux 3.2. */
function tmuxProgram(version: string | undefined): string[] {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version ?? '') ?? []
  const knowsFeatures = Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 2)
  return knowsFeatures ? ['tmux', '-u', '-T', FEATURES] : ['tmux', '-u']
}

/** A text as every login shell (sh, bash, zsh, fish) reads it back unchanged. zsh reads an unquoted `=name` as a path. */
export function quoteAlways(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`
}

function noScreen(session: string): AppError {
  return new AppError({
    code: 'usage',
    message: 'This host is not reached over ssh, so its screen cannot be shown here.',
    hint: `On that machine: tmux attach -t '=${session}'. Or add it a second time as ssh://….`,
  })
}
