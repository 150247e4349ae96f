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

/** A pty of another process. What comes before anybody listens is kept; the pty host sends no more than 128 Ki unheard. */
export function createRemotePty(needs: {
  id: number
  send(message: ToPtyHost): void
  onEnd(): void
}): RemotePty {
  const { id, send } = needs
  const dataListeners: DataListener[] = []
  const exitListeners: ((exit: Exit) => void)[] = []
  const early: Parameters<DataListener>[] = []
  let untold = 0
  let exit: Exit | undefined
  let settle: ((refusal?: string) => void) | undefined

  function receive(data: Uint8Array<ArrayBuffer>, chars: number): void {
    untold += chars
    if (untold >= TELL_CHARS) {
      send({ t: 'got', id, chars: untold })
      untold = 0
    }
    if (dataListeners.length === 0) early.push([data, chars])
    else for (const listener of dataListeners) listener(data, chars)
  }

  function end(how: Exit): void {
    if (exit !== undefined) return
    exit = how
    needs.onEnd()
    settle?.('It ended before it began.')
    for (const listener of exitListeners) listener(how)
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
      if (message.t === 'data') return receive(message.data, message.chars)
      if (message.t === 'spawned') return settle?.()
      if (message.t === 'refused') return settle?.(message.why)
      end({ code: message.code, signal: message.signal?.toString(), lost: false })
    },
    lose: () => end({ code: undefined, signal: undefined, lost: true }),
    onData(listener) {
      dataListeners.push(listener)
      for (const [data, chars] of early.splice(0)) listener(data, chars)
    },
    onExit(listener) {
      exitListeners.push(listener)
      if (exit !== undefined) listener(exit)
    },
    write(data) {
      for (const piece of inputPieces(data)) send({ t: 'write', id, data: piece })
    },
    resize: (cols, rows) => send({ t: 'resize', id, cols, rows }),
    pause: () => send({ t: 'pause', id }),
    resume: () => send({ t: 'resume', id }),
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
