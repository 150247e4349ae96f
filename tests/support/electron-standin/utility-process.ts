import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { app } from './app.ts'
import { createEvent } from './event.ts'

const shim = new URL('./parent-port.ts', import.meta.url).href
/** Utility processes that run. */
export const running = new Set<UtilityProcess>()

class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  constructor(script: string, args: string[], options: { env?: NodeJS.ProcessEnv; serviceName?: string }) {
    super()
    this.#child = fork(script, args, {
      env: options.env ?? process.env,
      execArgv: ['--import', shim],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    running.add(this)
    const kill = (): void => void this.#child.kill('SIGKILL')
    process.once('exit', kill)
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.once('spawn', () => this.emit('spawn'))
    this.#child.once('exit', (code, signal) => {
      running.delete(this)
      process.off('exit', kill)
      if (code !== 0)
        app.emit('child-process-gone', createEvent({}), {
          type: 'Utility',
          reason: signal === null ? 'abnormal-exit' : 'killed',
          exitCode: code ?? 0,
          name: options.serviceName,
        })
      this.emit('exit', code ?? 1)
    })
  }
  get pid(): number | undefined {
    return this.#child.pid
  }
  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => undefined)
  }
  kill(): boolean {
    return this.#child.kill()
  }
}

export const utilityProcess = {
  fork: (
    script: string,
    args: string[] = [],
    options: { env?: NodeJS.ProcessEnv; serviceName?: string } = {},
  ) => new UtilityProcess(script, args, options),
}
