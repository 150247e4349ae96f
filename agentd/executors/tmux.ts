import { setTimeout as delay } from 'node:timers/promises'
import { createTmuxRun, escapeEnd, folderArgument, type RunTmux } from './run-tmux.ts'

/** A window of a session: `name` is ours and survives a program that renames its window. */
export interface WindowCall {
  session: string
  window: string
  cwd: string
  /** At least two words, so that tmux starts the program itself and not through a shell. */
  argv: readonly [string, string, ...string[]]
  /** File that gets everything the window shows, from its first byte (raw terminal bytes, appended, unbounded). */
  logPath?: string
}

/** What tmux knows of a pane. `status` and `signal` are known of dead ones only. */
export interface PaneState {
  id: string
  window: string
  pid: number
  dead: boolean
  status?: number
  signal?: number
}

/** A window as a person sees it. `mark` is ours, of windows that we made; `dead` is a program that has ended. */
export interface WindowState {
  id: string
  name: string
  mark: string
  dead: boolean
}

/** Thin, typed tmux (written against 3.3a). Every target names its session exactly. */
export interface Tmux {
  /** Throws tmux_missing. */
  version(): Promise<string>
  /** Makes a detached session of 200x50 whose first window runs `argv`. `title` goes to its status line. */
  newSession(call: WindowCall & { title: string }): Promise<void>
  /** Adds a window as the first of the session: what a person sees on attach comes before what they may look up. */
  addFirstWindow(call: WindowCall): Promise<void>
  selectWindow(session: string, window: string): Promise<void>
  hasSession(session: string): Promise<boolean>
  /** `undefined` when there is no such session. */
  panes(session: string): Promise<PaneState[] | undefined>
  /** The last lines of a pane as plain text, also of a dead one; empty when it is gone. */
  capture(paneId: string, lines: number): Promise<string>
  /** The windows of a session in their order; empty when there is no such session. */
  windows(session: string): Promise<WindowState[]>
  /** Ends a session with its windows, also those that others look at through a session of their own; fine when there is none. */
  killSession(session: string): Promise<void>
  /** Process id of the server, which other sessions of the user depend on; `undefined` when none runs. */
  serverPid(): Promise<number | undefined>
}

const STATUS_ATTEMPTS = 40
const STATUS_WAIT_MS = 50
const STATUS_PATIENCE = 3
const WINDOW_OPTION = '@handoff-window'

/** Uses the tmux server a person reaches with plain `tmux attach`: TMUX_TMPDIR counts, an inherited TMUX does not. */
export function createTmux({ environment }: { environment: NodeJS.ProcessEnv }): Tmux {
  const run = createTmuxRun({ environment })

  async function hasSession(session: string): Promise<boolean> {
    return (await run(['has-session', '-t', `=${session}`], [1])).ok
  }

  async function listPanes(session: string): Promise<PaneState[] | undefined> {
    const format = `#{pane_id} #{pane_pid} #{pane_dead} s#{pane_dead_status} g#{pane_dead_signal} #{${WINDOW_OPTION}}`
    const args = ['list-panes', '-s', '-t', `=${session}`, '-F', format]
    const listed = await run(args, [1])
    if (listed.ok) return listed.stdout.split('\n').flatMap(parsePane)
    if (!(await hasSession(session))) return undefined
    // The server was just starting or ending; one more failure is a failure.
    return (await run(args)).stdout.split('\n').flatMap(parsePane)
  }

  async function panes(session: string): Promise<PaneState[] | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await listPanes(session)
      const isUnclear = found?.some(({ dead, status, signal }) => dead && (status ?? signal) === undefined)
      if (isUnclear !== true || attempt === STATUS_ATTEMPTS) return found
      // tmux calls a pane dead when its terminal is closed, and hears how the program ended a moment later.
      await delay(STATUS_WAIT_MS)
      if (attempt >= STATUS_PATIENCE) await remindServer()
    }
  }

  async function serverPid(): Promise<number | undefined> {
    const answered = await run(['display-message', '-p', '#{pid}'], [1])
    const pid = Number(answered.stdout.trim())
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  }

  /** A busy tmux 3.3a at times misses the signal of an ended program, which stays a zombie until the next one. */
  async function remindServer(): Promise<void> {
    const pid = await serverPid()
    if (pid === undefined) return
    try {
      process.kill(pid, 'SIGCHLD')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  return {
    hasSession,
    panes,
    serverPid,
    async version() {
      return (await run(['-V'])).stdout.replace(/^tmux\s+/, '').trim()
    },
    async newSession(call) {
      await run(newSessionArgs(call))
    },
    async addFirstWindow(call) {
      await run([
        ...['new-window', '-d', '-b', '-t', `=${call.session}:^`, ...windowArgs(call), ';'],
        ...windowOptions(call),
      ])
    },
    async selectWindow(session, window) {
      const listed = await run(windowIds(session))
      const line = listed.stdout.split('\n').find((text) => text.endsWith(` ${window}`))
      // Named with its session: somebody may look at the window through another one.
      if (line !== undefined) await run(['select-window', '-t', `=${session}:${line.split(' ')[0] ?? ''}`])
    },
    async capture(paneId, lines) {
      const captured = await run(['capture-pane', '-p', '-J', '-S', `-${lines}`, '-t', paneId], [1])
      return captured.stdout.trimEnd().split('\n').slice(-lines).join('\n')
    },
    async windows(session) {
      const format = `#{window_id} #{pane_dead} #{?${WINDOW_OPTION},#{${WINDOW_OPTION}},-} #{window_name}`
      const listed = await run(['list-windows', '-t', `=${session}`, '-F', format], [1])
      return listed.stdout.split('\n').flatMap(parseWindow)
    },
    async killSession(session) {
      await run(['kill-session', '-t', `=${session}`], [1])
      await killGroup(run, session)
    },
  }
}

/** A window lives while any session has it: those that were grouped with an ended one (`new-session -t`) end with it. */
async function killGroup(run: RunTmux, session: string): Promise<void> {
  const listed = await run(['list-sessions', '-F', '#{session_id} #{session_group}'], [1])
  for (const line of listed.stdout.split('\n')) {
    const [id = '', group] = line.split(' ')
    if (group === session) await run(['kill-session', '-t', id], [1])
  }
}

function newSessionArgs(call: WindowCall & { title: string }): string[] {
  const session = `=${call.session}:`
  const options: [string, string][] = [
    ['status', 'on'],
    // Quiet, so that the eye goes to what the agent says.
    ['status-style', 'bg=default,fg=default,dim'],
    ['status-left-length', '80'],
    ['status-left', `[handoff] ${statusText(call.title)} `],
    ['status-right-length', '40'],
    // The prefix key is whatever the person has set.
    ['status-right', ' detach: #{prefix} d '],
    ['destroy-unattached', 'off'],
  ]
  return [
    ...['new-session', '-d', '-s', call.session, '-x', '200', '-y', '50', ...windowArgs(call)],
    ...[';', ...windowOptions(call)],
    ...options.flatMap(([name, value]) => [';', 'set-option', '-t', session, name, escapeEnd(value)]),
  ]
}

function windowArgs({ window, cwd, argv }: WindowCall): string[] {
  // With several words tmux runs them without a shell.
  return ['-n', window, '-c', folderArgument(cwd), '--', ...argv.map(escapeEnd)]
}

/** The person's configuration may say otherwise: a dead pane stays readable, a window keeps its name and its mark. */
function windowOptions({ session, window, logPath = '/dev/null' }: WindowCall): string[] {
  const target = `=${session}:=${window}`
  const options = [
    ['remain-on-exit', 'on'],
    ['allow-rename', 'off'],
    ['automatic-rename', 'off'],
    [WINDOW_OPTION, window],
  ]
  return [
    // Also without a log: tmux 3.3a closes a dead pane's terminal before it has read all of it, except while it is piped.
    ...['pipe-pane', '-t', target, `exec cat >> ${quoteForPipe(logPath)}`],
    ...options.flatMap(([name = '', value = '']) => [';', 'set-option', '-w', '-t', target, name, value]),
  ]
}

function windowIds(session: string): string[] {
  return ['list-windows', '-t', `=${session}`, '-F', `#{window_id} #{${WINDOW_OPTION}}`]
}

function parsePane(line: string): PaneState[] {
  const match = /^(%\d+) (\d+) ([01]) s(\d*) g(\d*) (.*)$/.exec(line)
  if (match === null) return []
  const [, id = '', pid = '', dead, status = '', signal = '', window = ''] = match
  return [
    {
      id,
      window,
      pid: Number(pid),
      dead: dead === '1',
      ...(status === '' ? {} : { status: Number(status) }),
      ...(signal === '' ? {} : { signal: Number(signal) }),
    },
  ]
}

function parseWindow(line: string): WindowState[] {
  const match = /^(@\d+) ([01]) (\S+) (.*)$/.exec(line)
  if (match === null) return []
  const [, id = '', dead, mark = '', name = ''] = match
  return [{ id, name, mark: mark === '-' ? '' : mark, dead: dead === '1' }]
}

/**
 * A path as one word for the `sh` that tmux starts for pipe-pane. tmux expands formats (`#`) and strftime (`%`) in the
 * command first.
 */
export function quoteForPipe(path: string): string {
  const word = `'${path.replaceAll("'", `'\\''`)}'`
  return word.replaceAll('#', '##').replaceAll('%', '%%')
}

/** Text that tmux neither expands nor styles. */
function statusText(title: string): string {
  const plain = title.replace(/[#\p{Cc}]/gu, ' ').replaceAll('%', '%%')
  return plain.length > 50 ? `${plain.slice(0, 49)}…` : plain
}
