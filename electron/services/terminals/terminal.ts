import { AppError, toWireError } from '../../../shared/errors.ts'
import type { TerminalData, TerminalState } from '../../../shared/ipc/terminal-calls.ts'
import { backoffMs } from '../../../shared/node/host-client/backoff.ts'
import { createFlow } from './flow.ts'
import type { createScreenPlace } from './screen-place.ts'
import { exitError, notControlled, notLive } from './terminal-errors.ts'
import type { Pty, PtyHost } from './types.ts'

/** What one terminal needs. The listeners hear nothing any more after `close`. */
export interface TerminalNeeds {
  place: ReturnType<typeof createScreenPlace>
  ptyHost: PtyHost
  now: () => number
  cwd: string
  size: { cols: number; rows: number }
  /** What the window keeps ready for itself. */
  aheadChars?: number | undefined
  onData(data: Omit<TerminalData, 'terminalId'>): void
  onState(state: TerminalState, controlled: boolean): void
}

type Exit = Parameters<Parameters<Pty['onExit']>[0]>[0]

const BACKOFF = { firstMs: 400, maxMs: 30_000 }
/** An attachment that lived so long was a good one: the next loss is retried at once again. */
const GOOD_MS = 10_000
const RESIZE_MS = 50
const MAX_HELD_CHARS = 64 * 1024

/**
 * A view of one task's tmux that comes back by itself. Nothing of what is shown is kept here: tmux is the memory, and every
 * attachment draws the screen anew.
 */
export function createTerminal(needs: TerminalNeeds) {
  const { place, ptyHost, now } = needs
  const flow = createFlow(needs.aheadChars)
  let size = needs.size
  let state: TerminalState = { kind: 'connecting' }
  let controlled = false
  /** A shell of the person: the keyboard is theirs from the start, and there is nobody to give it back to. */
  let isOwn = false
  let pty: Pty | undefined
  /** Rises with every attachment; what comes from an older one is of no interest. */
  let turn = 0
  let failures = 0
  let liveSince: number | undefined
  /** Input for an attachment that is not up yet: tmux throws away what was typed before it listens. */
  let held = ''
  let retryTimer: NodeJS.Timeout | undefined
  let resizeTimer: NodeJS.Timeout | undefined

  function become(next: TerminalState): void {
    state = next
    needs.onState(next, controlled)
  }

  function leave(): number {
    clearTimeout(retryTimer)
    pty?.kill()
    pty = undefined
    return (turn += 1)
  }

  async function attach(): Promise<void> {
    const mine = leave()
    // When only the keyboard changes hands the old screen stays until the new one is there.
    if (state.kind !== 'live') become({ kind: 'connecting' })
    try {
      const way = await place.find(!controlled)
      if (mine !== turn) return
      if (way.kind === 'nowhere') return end(way.error)
      if (way.isOwn) controlled = isOwn = true
      const asked = size
      const started = await ptyHost.spawn({ argv: way.argv, env: way.env, cwd: needs.cwd, ...asked })
      if (mine !== turn) return started.kill()
      if (size !== asked) started.resize(size.cols, size.rows)
      follow(started, way.argv, mine)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (mine === turn) lose(error)
    }
  }

  function follow(started: Pty, argv: string[], mine: number): void {
    pty = started
    let seq = 0
    if (flow.isPaused()) started.pause()
    started.onData((chunk, chars) => {
      if (mine !== turn) return
      seq += 1
      if (seq === 1) begin(started)
      if (flow.sent(chars) === 'pause') started.pause()
      needs.onData({ seq, reset: seq === 1, chunk, chars })
    })
    started.onExit((exit) => {
      if (mine === turn) void afterExit(exit, argv, mine)
    })
  }

  function begin(started: Pty): void {
    liveSince = now()
    if (held !== '') started.write(held)
    held = ''
    if (state.kind !== 'live') become({ kind: 'live' })
  }

  async function afterExit(exit: Exit, argv: string[], mine: number): Promise<void> {
    pty = undefined
    if (liveSince !== undefined && now() - liveSince >= GOOD_MS) failures = 0
    liveSince = undefined
    const { error, mayBeOver } = exitError(exit, argv)
    const isOver = mayBeOver && (await place.isOver())
    if (mine !== turn) return
    if (isOver === true) end(undefined)
    else lose(error)
  }

  function lose(error: AppError): void {
    held = ''
    const waitMs = backoffMs(failures++, BACKOFF, Math.random)
    retryTimer = setTimeout(() => void attach(), waitMs)
    become({ kind: 'lost', retryAt: now() + Math.round(waitMs), error: toWireError(error) })
  }

  function end(error: AppError | undefined): void {
    held = ''
    controlled = false
    become({ kind: 'ended', ...(error === undefined ? {} : { error: toWireError(error) }) })
  }

  return {
    attach,
    state: () => state,
    /** Throws `forbidden` without the keyboard, and `connection_lost` when nobody would hear it. */
    write(data: string): void {
      if (!controlled) throw notControlled()
      if (state.kind === 'lost' || state.kind === 'ended') throw notLive()
      if (liveSince !== undefined && pty !== undefined) pty.write(data)
      else if (held.length + data.length <= MAX_HELD_CHARS) held += data
      else throw notLive()
    },
    resize(cols: number, rows: number): void {
      size = { cols, rows }
      clearTimeout(resizeTimer)
      resizeTimer = setTimeout(() => pty?.resize(size.cols, size.rows), RESIZE_MS)
    },
    ack(chars: number): void {
      if (flow.acked(chars) === 'resume') pty?.resume()
    },
    /** Attaches anew, since only who has the keyboard decides how big the agent's screen is. */
    control(take: boolean): void {
      if (state.kind === 'ended' || isOwn || take === controlled) return
      controlled = take
      held = ''
      liveSince = undefined
      needs.onState(state, controlled)
      if (state.kind !== 'lost') void attach()
    },
    /** Tries at once; only when it is lost or ended. */
    retry(): void {
      if (state.kind !== 'lost' && state.kind !== 'ended') return
      failures = 0
      void attach()
    },
    close(): void {
      clearTimeout(resizeTimer)
      leave()
    },
  }
}

/** One open terminal. */
export type Terminal = ReturnType<typeof createTerminal>
