import type { IPty } from 'node-pty'
import { PTY_UNHEARD_CHARS, type FromPtyHost, type ToPtyHost } from '../../shared/pty-messages.ts'
import { createBatches } from './batches.ts'
import { childEnvironment } from './child-environment.ts'
import { spawnPty } from './spawn-pty.ts'

const MAX_PTYS = 200

/** One running program. It is read only while nobody asked for a pause and the parent keeps up. */
interface Running {
  pty: IPty
  pausedByParent: boolean
  unheardChars: number
  reading: boolean
}

/** The ptys of this process, by the ids the parent chose. `handle` never throws for what the parent says. */
export function createPtys({ send }: { send: (message: FromPtyHost) => void }) {
  const running = new Map<number, Running>()

  function regulate(one: Running): void {
    const reading = !one.pausedByParent && one.unheardChars < PTY_UNHEARD_CHARS
    if (reading === one.reading) return
    one.reading = reading
    if (reading) one.pty.resume()
    else one.pty.pause()
  }

  function start({
    id,
    argv: [file = '', ...args],
    env,
    ...place
  }: Extract<ToPtyHost, { t: 'spawn' }>): void {
    if (running.has(id) || running.size >= MAX_PTYS) {
      send({ t: 'refused', id, why: running.has(id) ? 'The id is taken.' : 'There are too many terminals.' })
      return
    }
    const { pty, onBytes } = spawnPty({ file, args, env: childEnvironment(env), ...place })
    const one: Running = { pty, pausedByParent: false, unheardChars: 0, reading: true }
    running.set(id, one)
    const batches = createBatches({
      send(data, chars) {
        one.unheardChars += chars
        send({ t: 'data', id, data, chars })
        regulate(one)
      },
    })
    send({ t: 'spawned', id })
    onBytes(batches.add)
    pty.onExit(({ exitCode, signal }) => {
      running.delete(id)
      batches.end()
      send({ t: 'exit', id, code: exitCode, ...(signal ? { signal } : {}) })
    })
  }

  function tell(one: Running, message: Exclude<ToPtyHost, { t: 'spawn' | 'beat' }>): void {
    switch (message.t) {
      case 'write':
        return one.pty.write(message.data)
      case 'resize':
        return one.pty.resize(message.cols, message.rows)
      case 'pause':
      case 'resume':
        one.pausedByParent = message.t === 'pause'
        return regulate(one)
      case 'got':
        one.unheardChars = Math.max(0, one.unheardChars - message.chars)
        return regulate(one)
      case 'kill':
        return one.pty.kill()
    }
  }

  return {
    handle(message: ToPtyHost): void {
      if (message.t === 'beat') return send({ t: 'beat' })
      try {
        if (message.t === 'spawn') return start(message)
        const one = running.get(message.id)
        // It ended while the message was on its way.
        if (one !== undefined) tell(one, message)
      } catch (error) {
        if (message.t === 'spawn') send({ t: 'refused', id: message.id, why: String(error).slice(0, 1_000) })
        // Resizing or killing what is just ending fails; its end is told by `exit`.
      }
    },
    /** Hangs up on every program. */
    killAll(): void {
      for (const { pty } of running.values()) pty.kill()
    },
  }
}
