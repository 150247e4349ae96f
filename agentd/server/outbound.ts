import type { WebSocket } from 'ws'
import type { ServerLimits } from './limits.ts'

/** What waits to go to one client, and when there is room for more. */
export interface Outbound {
  /** Sends a text message; nothing happens when the connection is closing. */
  send(text: string): void
  hasRoom(): boolean
  /** Calls back once when there is room, or never when the connection ends first. */
  whenRoom(callback: () => void): void
  dispose(): void
}

/**
 * Watches how fast a client takes its data. A client that takes nothing for `drainTimeoutMs` while more than
 * `outboundHighBytes` wait is reported by `onStuck`; above `inboundPauseBytes` nothing more is read from it.
 */
export function createOutbound({
  ws,
  limits,
  onStuck,
}: {
  ws: WebSocket
  limits: ServerLimits
  onStuck: () => void
}): Outbound {
  let waiting: (() => void)[] = []
  let stuckTimer: NodeJS.Timeout | undefined
  let paused = false

  const hasRoom = () => ws.bufferedAmount < limits.outboundHighBytes

  function flushed(): void {
    clearTimeout(stuckTimer)
    stuckTimer = undefined
    if (!hasRoom()) {
      stuckTimer = setTimeout(onStuck, limits.drainTimeoutMs)
      return
    }
    if (paused) {
      paused = false
      ws.resume()
    }
    const ready = waiting
    waiting = []
    for (const callback of ready) callback()
  }

  return {
    send(text) {
      if (ws.readyState !== ws.OPEN) return
      ws.send(text, flushed)
      if (hasRoom()) return
      stuckTimer ??= setTimeout(onStuck, limits.drainTimeoutMs)
      if (ws.bufferedAmount > limits.inboundPauseBytes && !paused) {
        paused = true
        ws.pause()
      }
    },
    hasRoom,
    whenRoom(callback) {
      if (hasRoom()) setImmediate(callback)
      else waiting.push(callback)
    },
    dispose() {
      clearTimeout(stuckTimer)
      waiting = []
    },
  }
}
