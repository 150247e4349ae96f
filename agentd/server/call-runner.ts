import { AppError, toWireError } from '../../shared/errors.ts'
import type { ClientMessage, ServerMessage } from '../../shared/protocol.ts'
import type { CallContext, Handlers } from './call-context.ts'
import { dispatch } from './dispatch.ts'
import type { Logger } from '../log.ts'
import type { Outbound } from './outbound.ts'
import { createStreamWriter } from './stream-writer.ts'

type CallMessage = Extract<ClientMessage, { t: 'call' }>

interface RunningCall {
  name: string
  abort: AbortController
  grant(bytes: number): void
}

/** Calls that only wait; when agentd stops there is nothing in them to finish. */
const waitingCalls: ReadonlySet<string> = new Set(['wait.next'])

/** Runs the calls of one connection at the same time, at most `limit` of them. */
export function createCallRunner({
  handlers,
  outbound,
  identity,
  connectionSignal,
  limit,
  log,
}: {
  handlers: Handlers
  outbound: Outbound
  identity: Pick<CallContext, 'actor' | 'role'>
  connectionSignal: AbortSignal
  limit: number
  log: Logger
}) {
  const running = new Map<number, RunningCall>()
  const turns: (() => void)[] = []
  let idle: (() => void) | undefined
  let stopping = false

  function refuseNew(): AppError | undefined {
    if (stopping) return new AppError({ code: 'connection_lost', message: 'agentd is stopping.' })
    if (running.size < limit) return undefined
    return new AppError({
      code: 'rate_limited',
      message: `More than ${limit} calls at once on one connection.`,
      hint: 'Wait for answers before asking more.',
    })
  }

  function fail(id: number, name: string, error: unknown, signal?: AbortSignal): void {
    const known = error instanceof AppError
    if (!known && signal?.aborted === true) {
      const cancelled = new AppError({ code: 'cancelled', message: 'The call was cancelled.' })
      reply({ t: 'error', id, error: toWireError(cancelled) })
      return
    }
    if (!known) log.error({ err: error, call: name }, 'a call failed because of a bug')
    reply({ t: 'error', id, error: toWireError(error) })
  }

  const reply = (message: ServerMessage) => outbound.send(JSON.stringify(message))

  /** Takes a call in; it runs at once when nothing else does, else in its turn and when there is room for its answer. */
  function accept(message: CallMessage): void {
    const abort = new AbortController()
    const { write, grant } = createStreamWriter({ id: message.id, outbound, signal: abort.signal })
    running.set(message.id, { name: message.name, abort, grant })
    const run = () => void carryOut(message, { ...identity, signal: abort.signal, connectionSignal, write })
    if (running.size === 1) return run()
    // A client that asks much and reads nothing must not fill the memory with answers.
    turns.push(run)
    if (turns.length === 1) outbound.whenRoom(nextTurn)
  }

  function nextTurn(): void {
    turns.shift()?.()
    if (turns.length > 0) outbound.whenRoom(nextTurn)
  }

  async function carryOut({ id, name, input }: CallMessage, context: CallContext): Promise<void> {
    try {
      context.signal.throwIfAborted()
      reply({ t: 'result', id, ok: true, value: await dispatch({ handlers, name, input, context }) })
    } catch (error) {
      fail(id, name, error, context.signal)
    } finally {
      running.delete(id)
      if (running.size === 0) idle?.()
    }
  }

  return {
    /** Starts a call. Its id must not be in use on this connection; says whether that was so. */
    start(message: CallMessage): boolean {
      if (running.has(message.id)) return false
      const refused = refuseNew()
      if (refused === undefined) accept(message)
      else fail(message.id, message.name, refused)
      return true
    },
    cancel(id: number): void {
      running.get(id)?.abort.abort()
    },
    grant(id: number, bytes: number): void {
      running.get(id)?.grant(bytes)
    },
    /** Takes no new calls, ends those that only wait, and resolves when the others have ended. */
    finish(): Promise<void> {
      stopping = true
      for (const call of running.values()) if (waitingCalls.has(call.name)) call.abort.abort()
      if (running.size === 0) return Promise.resolve()
      return new Promise((resolve) => (idle = resolve))
    },
    abortAll(): void {
      for (const call of running.values()) call.abort.abort()
    },
  }
}
