import type { RawData, WebSocket } from 'ws'

/**
 * Hands messages over one after the other, in order: while one is still being taken in, the socket is not read, so that a host
 * cannot tell faster than is kept. `handle` answers with a promise when it needs several turns of the event loop.
 */
export function createInbound({
  ws,
  handle,
  onResume,
}: {
  ws: WebSocket
  handle: (data: RawData, isBinary: boolean) => Promise<void> | undefined
  /** The socket is read again: silence until now was not the host's. */
  onResume: () => void
}) {
  // What was in the socket's buffer when it was paused comes all the same.
  const waiting: { data: RawData; isBinary: boolean }[] = []
  let isBusy = false
  let whenIdle: (() => void) | undefined

  function take(data: RawData, isBinary: boolean): void {
    const pending = handle(data, isBinary)
    if (pending === undefined) return
    isBusy = true
    ws.pause()
    void pending.then(next)
  }

  function next(): void {
    isBusy = false
    while (!isBusy) {
      const message = waiting.shift()
      if (message !== undefined) take(message.data, message.isBinary)
      else {
        onResume()
        ws.resume()
        whenIdle?.()
        return
      }
    }
  }

  ws.on('message', (data, isBinary) => {
    if (isBusy) waiting.push({ data, isBinary })
    else take(data, isBinary)
  })

  return {
    /** Calls back when everything that has arrived is taken in; at once when it is. */
    idle(then: () => void): void {
      if (isBusy) whenIdle = then
      else then()
    },
  }
}

/** The next turn of the event loop: whatever else waits for this thread is done first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
