import { AppError } from '../../errors.ts'
import type { HostAddress } from '../host-client/address.ts'

/** A tmux session on a host, and how the host is reached. */
export interface AttachTarget {
  address: HostAddress
  sshConfig?: string | undefined
  session: string
  /** The tmux server, as `tmux -L` names it; the default one without it. */
  server?: string | undefined
  /**
   * One window of the session (`@3`), seen through a session of its own that shares the windows: which window it shows is its own
   * affair. `name` is that session's, used by nobody else. It ends with the last client, however that ends.
   */
  view?: { window: string; name: string } | undefined
  /** TMUX_TMPDIR of the session's server; the default server without it. */
  socketDir: string | undefined
  /** The client may look and not type. */
  readOnly?: boolean | undefined
  /** Of the tmux there, as `tmux -V` says it. Where it is known and new enough, all colours come through. */
  version?: string | undefined
}

/** The tmux server of shells that people open beside a task. */
export const SHELL_SERVER = 'handoff-shells'

/** For a terminal that comes back by itself: a dead connection is noticed, and `~.` is input like any other. */
const UNATTENDED = ['-e', 'none', '-o', 'ServerAliveInterval=15', '-o', 'ConnectTimeout=10']

/**
 * The program that shows a session of another machine on this terminal: `ssh` with a terminal of its own, asking the
 * person where it has to. Throws `usage` for a host that is not reached over ssh.
 */
export function sshAttachArgv(target: AttachTarget, terminalFlag: '-t' | '-tt' = '-t'): string[] {
  const { address, sshConfig, session, socketDir } = target
  if (address.kind !== 'ssh') throw noScreen(session)
  // `env` and not an assignment: the login shell there may be one that has no such syntax.
  const folder = socketDir === undefined ? '' : `env TMUX_TMPDIR=${quoteAlways(socketDir)} `
  // ssh rarely carries the locale along; without -u tmux would show every other script as underscores.
  const remoteCommand = `${folder}${tmuxArgv(target).map(quoteWhereNeeded).join(' ')}`
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
export function localAttachArgv(target: Omit<AttachTarget, 'address' | 'sshConfig'>): string[] {
  const { socketDir } = target
  return [
    'env',
    // From inside another tmux, tmux refuses to nest unless it is not told where it is.
    '-u',
    'TMUX',
    ...(socketDir === undefined ? [] : [`TMUX_TMPDIR=${socketDir}`]),
    ...tmuxArgv(target),
  ]
}

type TmuxTarget = Pick<AttachTarget, 'session' | 'server' | 'view' | 'readOnly' | 'version'>

function tmuxArgv({ session, server, view, readOnly = false, version }: TmuxTarget): string[] {
  return [
    ...tmuxProgram(version),
    ...(server === undefined ? [] : ['-L', server]),
    ...(view === undefined ? [] : viewArgv(session, view)),
    'attach-session',
    ...(readOnly ? ['-r'] : []),
    '-t',
    `=${view?.name ?? session}`,
  ]
}

/** In one command line, so that nothing happens in between: a session that nobody is attached to would end at once. */
function viewArgv(session: string, { window, name }: NonNullable<AttachTarget['view']>): string[] {
  const mine = `=${name}:`
  return [
    // Without the session, new-session would make one of that name with a shell in it.
    ...['has-session', '-t', `=${session}`, ';'],
    ...['new-session', '-d', '-t', `=${session}`, '-s', name, ';'],
    ...['set-option', '-t', mine, 'destroy-unattached', 'on', ';'],
    // What is shown is named by a tab.
    ...['set-option', '-t', mine, 'status', 'off', ';'],
    ...['select-window', '-t', `${mine}${window}`, ';'],
    // When the window is closed the session would go on with another one of the agent's.
    ...['set-hook', '-t', mine, 'session-window-changed', endUnless(name, window), ';'],
  ]
}

/**
 * What xterm.js can and the terminfo entry `xterm-256color` does not tell: without it tmux takes an agent's colours to the nearest
 * of 256, and drops curly underlines and links. The last is of tmux 3.4; an older one stops reading there.
 */
const FEATURES = 'RGB,usstyle,overline,hyperlinks'

/** `-T` is of tmux 3.2. */
function tmuxProgram(version: string | undefined): string[] {
  return isTmuxAtLeast(version, 3, 2) ? ['tmux', '-u', '-T', FEATURES] : ['tmux', '-u']
}

/** Whether a tmux is as new as that, from what `tmux -V` said; one that says no number is not. */
export function isTmuxAtLeast(version: string | undefined, major: number, minor: number): boolean {
  const [, hasMajor = '0', hasMinor = '0'] = /(\d+)\.(\d+)/.exec(version ?? '') ?? []
  return Number(hasMajor) > major || (Number(hasMajor) === major && Number(hasMinor) >= minor)
}

function endUnless(name: string, window: string): string {
  return `if-shell -F -t =${name}: '#{!=:#{window_id},${window}}' 'kill-session -t =${name}'`
}

function quoteWhereNeeded(word: string): string {
  return /^[a-zA-Z0-9,_.-]+$/.test(word) ? word : quoteAlways(word)
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
