import { parseEvent, type OpencodeEvent } from './events.ts'
import { createSseParser } from './sse.ts'

const MAX_EVENT_CHARS = 32 * 1024 * 1024

/** opencode sends `server.heartbeat` every 10 s; a stream that is silent for longer than two of them is dead. */
export interface EventStreamTimes {
  silentMs: number
  connectTimeoutMs: number
  retryMinMs: number
  retryMaxMs: number
}

/** Times for a server on the same machine. */
export const defaultStreamTimes: EventStreamTimes = {
  silentMs: 25_000,
  connectTimeoutMs: 5_000,
  retryMinMs: 100,
  retryMaxMs: 10_000,
}

/** Where the stream is, and who hears of it. */
export interface EventStreamNeeds {
  url: string
  authorization: string
  times: EventStreamTimes
  /** A connection stands. Nothing that happened before is replayed, so the reader has to look for itself. */
  onConnected(): void
  onEvent(event: OpencodeEvent): void
  /** A connection ended or could not be made; another attempt follows unless the stream is disposed. */
  onLost(problem: string): void
}

/** Follows opencode's `/event` until disposed: reconnects with growing pauses, and when the stream falls silent. */
export function openEventStream(needs: EventStreamNeeds): { dispose(): void } {
  const { times } = needs
  const ended = new AbortController()
  let pauseMs = times.retryMinMs

  async function follow(): Promise<void> {
    while (!ended.signal.aborted) {
      const problem = await readOnce(needs, ended.signal, () => (pauseMs = times.retryMinMs))
      if (ended.signal.aborted) return
      needs.onLost(problem)
      await pause(pauseMs, ended.signal)
      pauseMs = Math.min(pauseMs * 2, times.retryMaxMs)
    }
  }

  void follow()
  return { dispose: () => ended.abort() }
}

/** One connection from its start to its end. Resolves with the reason of the end; never rejects. */
async function readOnce(needs: EventStreamNeeds, ended: AbortSignal, onAlive: () => void): Promise<string> {
  const { times } = needs
  const connection = new AbortController()
  const abort = () => connection.abort()
  ended.addEventListener('abort', abort)
  let reason = 'opencode closed the event stream.'
  let watchdog: NodeJS.Timeout | undefined
  const rewind = (limitMs: number, message: string) => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => {
      reason = message
      connection.abort()
    }, limitMs)
  }
  try {
    rewind(times.connectTimeoutMs, 'opencode did not answer in time.')
    const response = await fetch(needs.url, {
      headers: { authorization: needs.authorization, accept: 'text/event-stream' },
      signal: connection.signal,
    })
    if (!response.ok || response.body === null)
      return `opencode answered ${response.status} to the event stream.`
    const silent = `opencode has been silent for ${Math.round(times.silentMs / 1_000)} seconds.`
    rewind(times.silentMs, silent)
    onAlive()
    needs.onConnected()
    const decoder = new TextDecoder()
    const parser = createSseParser({
      maxEventChars: MAX_EVENT_CHARS,
      onData: (data) => {
        const event = parseEvent(data)
        if (event !== undefined && !connection.signal.aborted) needs.onEvent(event)
      },
    })
    for await (const chunk of response.body) {
      rewind(times.silentMs, silent)
      parser.push(decoder.decode(chunk, { stream: true }))
    }
    return reason
  } catch (error) {
    return connection.signal.aborted ? reason : `The connection to opencode failed: ${causeOf(error)}.`
  } finally {
    clearTimeout(watchdog)
    ended.removeEventListener('abort', abort)
    connection.abort()
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return String(cause)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
