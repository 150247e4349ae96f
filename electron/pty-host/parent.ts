/** The process that started this one. */
export interface Parent {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Once, when it is gone. */
  onGone(listener: () => void): void
}

/** Electron's side of a utility process; its types are not to be had without importing Electron. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  on(event: 'close', listener: () => void): void
}

/** The parent over Electron's `process.parentPort`, or over the channel of `child_process.fork`. Throws without either. */
export function findParent(): Parent {
  const port = (process as { parentPort?: ParentPort }).parentPort
  if (port !== undefined)
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', (event) => listener(event.data)),
      onGone: (listener) => port.on('close', listener),
    }
  if (process.send === undefined) throw new Error('The pty host is started by the desk, not by hand.')
  return {
    // A parent that is just going closes the channel; that it is gone is told by `disconnect`.
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => process.on('message', listener),
    onGone: (listener) => process.once('disconnect', listener),
  }
}
