import { AppError } from '../../../shared/errors.ts'
import {
  fromPtyHostSchema,
  PTY_BEAT_MS,
  toPtyHostSchema,
  type ToPtyHost,
} from '../../../shared/pty-messages.ts'
import { createRemotePty, type RemotePty } from './remote-pty.ts'
import type { ForkPtyHost, PtyHost } from './types.ts'

/** What the pty host is made of; times are for tests to shorten. */
export interface PtyHostNeeds {
  fork: ForkPtyHost
  now?: () => number
  beatMs?: number
  /** After so long without a crash the crashes before it are forgotten. */
  healthyMs?: number
}

const MAX_CRASHES = 5
const HEALTHY_MS = 60_000
/** So many beats without an answer mean that it hangs. */
const MISSED_BEATS = 3
const SPAWN_MS = 10_000

type Process = ReturnType<ForkPtyHost>

/** A process that is running, or starting. */
interface Live {
  process: Process
  ptys: Map<number, RemotePty>
  startedAt: number
  isUp(): boolean
}

/**
 * Ptys in a process of their own. It is started at first use and again when it is needed after a crash; after five crashes
 * in a row `spawn` rejects with `terminal_failed` until it has been left alone for a minute. All ptys of a process that
 * died or hung exit with `lost`.
 */
export function createPtyHost({ fork, now = Date.now, ...times }: PtyHostNeeds): PtyHost {
  const healthyMs = times.healthyMs ?? HEALTHY_MS
  let live: Live | undefined
  let crashes = 0
  let crashedAt = -Infinity
  let lastId = 0
  let isDisposed = false

  function start(): Live {
    if (isDisposed) throw hostDown()
    if (now() - crashedAt >= healthyMs) crashes = 0
    if (crashes >= MAX_CRASHES) throw crashesTooOften()
    const process = fork()
    const beat = watchBeat(process, times.beatMs ?? PTY_BEAT_MS)
    const started = { process, ptys: new Map<number, RemotePty>(), startedAt: now(), isUp: beat.isUp }
    live = started
    process.onMessage((message) => {
      const parsed = fromPtyHostSchema.safeParse(message)
      if (!parsed.success) return
      beat.heard()
      if (parsed.data.t !== 'beat') started.ptys.get(parsed.data.id)?.hear(parsed.data)
    })
    process.onExit(() => {
      beat.stop()
      if (live === started) live = undefined
      if (now() - started.startedAt >= healthyMs) crashes = 0
      crashes += 1
      crashedAt = now()
      for (const pty of [...started.ptys.values()]) pty.lose()
      started.ptys.clear()
    })
    return started
  }

  return {
    async spawn(options) {
      const message = toPtyHostSchema.safeParse({
        t: 'spawn',
        id: lastId + 1,
        ...options,
        argv: [...options.argv],
      })
      if (!message.success) throw badRequest()
      const host = live ?? start()
      const id = (lastId += 1)
      const pty = createRemotePty({
        id,
        send: (message) => host.process.send(message),
        onEnd: () => host.ptys.delete(id),
      })
      host.ptys.set(id, pty)
      host.process.send(message.data)
      await pty.started(SPAWN_MS).catch((error: unknown) => {
        // It never said a word: the next terminal gets another one.
        if (!host.isUp()) host.process.kill()
        throw error
      })
      return pty
    },
    async dispose() {
      isDisposed = true
      const ending = live
      if (ending === undefined) return
      const gone = new Promise<void>((resolve) => ending.process.onExit(() => resolve()))
      // With it go the ends of its terminals: the system hangs up on every program in them.
      ending.process.kill()
      await gone
    },
  }
}

/** Asks a process again and again whether it is there, and ends one that does not answer any more. */
function watchBeat(process: Process, beatMs: number) {
  let missed = 0
  let isUp = false
  const timer = setInterval(() => {
    if (isUp) missed += 1
    if (missed > MISSED_BEATS) process.kill()
    else process.send({ t: 'beat' } satisfies ToPtyHost)
  }, beatMs)
  timer.unref()
  return {
    isUp: () => isUp,
    heard(): void {
      isUp = true
      missed = 0
    },
    stop: () => clearInterval(timer),
  }
}

function badRequest(): AppError {
  return new AppError({
    code: 'terminal_failed',
    message: 'A terminal of this size, or of such a program, is not possible.',
    hint: 'Change the size of the window and try again.',
  })
}

function hostDown(): AppError {
  return new AppError({
    code: 'terminal_failed',
    message: 'The desk is closing; no terminal is opened any more.',
    hint: 'Open it again once the desk has been started anew.',
  })
}

function crashesTooOften(): AppError {
  return new AppError({
    code: 'terminal_failed',
    message: `The process that runs terminals ended ${MAX_CRASHES} times in a row.`,
    hint: 'Wait a minute and try again. When it goes on, start the desk anew; the agents are not touched by this.',
  })
}
