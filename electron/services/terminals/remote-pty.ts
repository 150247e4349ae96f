import { AppError } from '../../../shared/errors.ts'
import type { FromPtyHost, ToPtyHost } from '../../../shared/pty-messages.ts'
import { inputPieces } from './input-pieces.ts'
import type { Pty } from './types.ts'

type DataListener = Parameters<Pty['onData']>[0]
type Exit = Parameters<Parameters<Pty['onExit']>[0]>[0]

/** The pty's side of the services: what it is told by the pty host's process. */
export interface RemotePty extends Pty {
  /** Resolves when the program runs; rejects with `terminal_failed`. */
  started(timeoutMs: number): Promise<void>
  hear(message: Exclude<FromPtyHost, { t: 'beat' }>): void
  /** The process that held it is gone. */
  lose(): void
}

/** How much may arrive before the pty host is told that it did. */
const TELL_CHARS = 32 * 1024

/**
 * A pty of another process. What comes before anybody listens, and what was on its way when it was paused, is kept here, at
 * most the 512 Ki that the pty host sends unheard, and goes on at once when it may.
 */
export function createRemotePty(needs: {
  id: number
  send(message: ToPtyHost): void
  onEnd(): void
}): RemotePty {
  const { id, send } = needs
  const dataListeners: DataListener[] = []
  const exitListeners: ((exit: Exit) => void)[] = []
  const kept: Parameters<DataListener>[] = []
  let untold = 0
  let isPaused = false
  let isDelivering = false
  let exit: Exit | undefined
  let settle: ((refusal?: string) => void) | undefined

  function deliver(): void {
    // A listener may pause and resume; what comes next waits until all have heard this.
    if (isDelivering) return
    isDelivering = true
    while (!isPaused && dataListeners.length > 0) {
      const next = kept.shift()
      if (next === undefined) break
      for (const listener of dataListeners) listener(...next)
      tell(next[1])
    }
    isDelivering = false
    if (exit !== undefined && kept.length === 0)
      for (const listener of exitListeners.splice(0)) listener(exit)
  }

  function tell(chars: number): void {
    untold += chars
    if (untold < TELL_CHARS || exit !== undefined) return
    send({ t: 'got', id, chars: untold })
    untold = 0
  }

  function end(how: Exit): void {
    if (exit !== undefined) return
    exit = how
    needs.onEnd()
    settle?.('It ended before it began.')
    // Nobody waits for what a lost terminal has said last: the next attachment draws everything anew.
    if (how.lost) kept.length = 0
    deliver()
  }

  return {
    started: (timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle?.('It did not answer in time.'), timeoutMs)
        settle = (refusal) => {
          clearTimeout(timer)
          settle = undefined
          if (refusal === undefined) return resolve()
          end({ code: undefined, signal: undefined, lost: true })
          send({ t: 'kill', id })
          reject(notStarted(refusal))
        }
      }),
    hear(message) {
      if (message.t === 'data') {
        kept.push([message.data, message.chars])
        return deliver()
      }
      if (message.t === 'spawned') return settle?.()
      if (message.t === 'refused') return settle?.(message.why)
      end({ code: message.code, signal: message.signal?.toString(), lost: false })
    },
    lose: () => end({ code: undefined, signal: undefined, lost: true }),
    onData(listener) {
      dataListeners.push(listener)
      deliver()
    },
    onExit(listener) {
      exitListeners.push(listener)
      deliver()
    },
    write(data) {
      for (const piece of inputPieces(data)) send({ t: 'write', id, data: piece })
    },
    resize: (cols, rows) => send({ t: 'resize', id, cols, rows }),
    pause() {
      isPaused = true
      send({ t: 'pause', id })
    },
    resume() {
      isPaused = false
      deliver()
      if (!isPaused) send({ t: 'resume', id })
    },
    kill: () => send({ t: 'kill', id }),
  }
}

function notStarted(why: string): AppError {
  return new AppError({
    code: 'terminal_failed',
    message: `The terminal could not be started: ${why}`,
    hint: 'Try again. When it goes on, start the desk anew; the agents are not touched by this.',
  })
}
