import { randomUUID } from 'node:crypto'
import { AppError } from '../../../shared/errors.ts'
import { createListeners } from '../../../shared/listeners.ts'
import { createScreenPlace, type TerminalHosts } from './screen-place.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import type { PtyHost, TerminalService } from './types.ts'

/** What terminals need. `environment` is the person's; tmux and ssh get the part of it that they need. */
export interface TerminalServiceNeeds {
  hosts: TerminalHosts
  ptyHost: PtyHost
  environment: NodeJS.ProcessEnv
  now: () => number
}

const MAX_TERMINALS = 100

interface Open {
  terminal: Terminal
  host: string
  windowId: string
  /** When the host was last seen to become live; a newer time wakes a lost terminal. */
  hostLiveSince: number | undefined
}

/** Terminals on the tmux of tasks. `dispose` ends the pty host too. */
export function createTerminalService(needs: TerminalServiceNeeds): TerminalService {
  const { hosts, ptyHost, environment, now } = needs
  const open = new Map<string, Open>()
  const data = createListeners<Parameters<Parameters<TerminalService['onData']>[0]>>()
  const states = createListeners<Parameters<Parameters<TerminalService['onState']>[0]>>()
  let isDisposed = false

  const liveSince = (host: string): number | undefined => {
    const state = hosts.get(host)?.state
    return state?.kind === 'live' ? state.since : undefined
  }

  const stopHearing = hosts.onChange((host) => {
    const since = liveSince(host)
    if (since === undefined) return
    for (const one of open.values()) {
      if (one.host !== host || one.hostLiveSince === since) continue
      one.hostLiveSince = since
      if (one.terminal.state().kind === 'lost') one.terminal.retry()
    }
  })

  function existing(terminalId: string): Terminal {
    const one = open.get(terminalId)
    if (one === undefined) throw noTerminal()
    return one.terminal
  }

  function close(terminalId: string): void {
    const one = open.get(terminalId)
    open.delete(terminalId)
    one?.terminal.close()
  }

  function begin(what: Parameters<TerminalService['open']>[0]): string {
    const { host, taskId, window, cols, rows, windowId, aheadChars } = what
    if (isDisposed || open.size >= MAX_TERMINALS) throw tooMany()
    const id = randomUUID()
    const terminal = createTerminal({
      place: createScreenPlace({ hosts, host, taskId, window, environment }),
      ptyHost,
      now,
      cwd: environment['HOME'] ?? '/',
      size: { cols, rows },
      aheadChars,
      onData(chunk) {
        if (open.has(id)) data.tell({ terminalId: id, ...chunk })
      },
      onState(state, controlled) {
        if (open.has(id)) states.tell(id, state, controlled)
      },
    })
    open.set(id, { terminal, host, windowId, hostLiveSince: liveSince(host) })
    // The window gets the id before it hears of the terminal.
    setImmediate(() => open.has(id) && void terminal.attach())
    return id
  }

  return {
    open: (what) => Promise.resolve().then(() => begin(what)),
    write: (terminalId, data) => existing(terminalId).write(data),
    control: (terminalId, take) => existing(terminalId).control(take),
    retry: (terminalId) => existing(terminalId).retry(),
    resize: (terminalId, cols, rows) => existing(terminalId).resize(cols, rows),
    // Often on its way while a terminal is being closed.
    ack: (terminalId, chars) => open.get(terminalId)?.terminal.ack(chars),
    close,
    windowOf: (terminalId) => open.get(terminalId)?.windowId,
    closeAllOf(windowId) {
      for (const [id, one] of [...open]) if (one.windowId === windowId) close(id)
    },
    onData: data.add,
    onState: states.add,
    async dispose() {
      isDisposed = true
      stopHearing()
      for (const id of [...open.keys()]) close(id)
      await ptyHost.dispose()
    },
  }
}

/** What one window asks of a terminal that has ended, or that is another window's. */
export function noTerminal(): AppError {
  return new AppError({
    code: 'bad_request',
    message: 'There is no such terminal any more.',
    hint: 'Open it again.',
  })
}

function tooMany(): AppError {
  return new AppError({
    code: 'rate_limited',
    message: `More than ${MAX_TERMINALS} terminals are open.`,
    hint: 'Close some of them.',
  })
}
