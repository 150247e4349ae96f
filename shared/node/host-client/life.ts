import type { WebSocket } from 'ws'

/** Parts of a heartbeat at which the silence is looked at; with 8 of them missed the end is noticed before the second one is over. */
const TICKS_PER_HEARTBEAT = 4
const SILENT_TICKS = 2 * TICKS_PER_HEARTBEAT

/**
 * Watches whether the other side of a connection lives. Calls `onDead` when nothing was heard for two heartbeats (never
 * later, at most an eighth of that earlier), or when a sign of life that was asked for did not come in time.
 */
export function watchLife(ws: WebSocket, heartbeatMs: number, onDead: () => void) {
  // Ticks are counted and not the time: after this machine slept, what has arrived is read before the next tick.
  let silentTicks = 0
  let deadline: NodeJS.Timeout | undefined
  const heard = () => {
    silentTicks = 0
    clearTimeout(deadline)
    deadline = undefined
  }
  const timer = setInterval(() => {
    silentTicks += 1
    if (silentTicks >= SILENT_TICKS) onDead()
  }, heartbeatMs / TICKS_PER_HEARTBEAT)
  ws.on('ping', heard)
  ws.on('pong', heard)
  return {
    heard,
    /** Asks for a sign of life now; without one within `timeoutMs` the connection counts as dead. */
    verify(timeoutMs: number): void {
      if (ws.readyState !== ws.OPEN) return
      ws.ping()
      deadline ??= setTimeout(onDead, timeoutMs)
    },
    end(): void {
      clearInterval(timer)
      clearTimeout(deadline)
    },
  }
}
