import { utilityProcess } from 'electron'
import type { ForkPtyHost } from '../services/terminals/types.ts'
import type { ShellLog } from './log.ts'

/** Starts the pty host as a utility process of Electron; a crash there ends terminals and nothing else. */
export function forkPtyHostWith({
  script,
  environment,
  log,
}: {
  script: string
  environment: NodeJS.ProcessEnv
  log: ShellLog
}): ForkPtyHost {
  return () => {
    const child = utilityProcess.fork(script, [], {
      serviceName: 'Handoff terminals',
      stdio: 'ignore',
      env: environment,
    })
    let hasEnded = false
    child.on('error', (type, location) => log.error({ type, location }, 'the pty host crashed'))
    child.once('exit', () => {
      hasEnded = true
    })
    return {
      send(message) {
        // A message to a process that has just ended is lost with it; that it ended is told by onExit.
        if (!hasEnded) child.postMessage(message)
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', (code) => listener(code)),
      kill: () => void child.kill(),
    }
  }
}
