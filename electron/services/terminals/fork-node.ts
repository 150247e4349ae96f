import { fork } from 'node:child_process'
import type { ForkPtyHost } from './types.ts'

/** Starts the pty host as a plain Node process. `scriptPath` is the bundle, or its source where Node reads TypeScript. */
export function forkPtyHostWithNode(scriptPath: string): ForkPtyHost {
  return () => {
    // 'advanced' copies strings; JSON would escape every control character of a screen.
    const child = fork(scriptPath, [], { serialization: 'advanced', execArgv: [], stdio: 'inherit' })
    let hasEnded = false
    const endListeners: ((code: number | undefined) => void)[] = []
    const end = (code: number | undefined): void => {
      if (hasEnded) return
      hasEnded = true
      for (const listener of endListeners) listener(code)
    }
    child.once('exit', (code) => end(code ?? undefined))
    // It could not be started at all.
    child.once('error', () => end(undefined))
    return {
      // A message to a process that is just ending is lost with it; that it ended is told by onExit.
      send: (message) => void (child.connected && child.send(message as object, () => undefined)),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void endListeners.push(listener),
      kill: () => void child.kill('SIGKILL'),
    }
  }
}
