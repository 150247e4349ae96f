import net from 'node:net'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { Home } from '../../../shared/node/home.ts'
import { startAgentd } from '../../../shared/node/hosts/start-agentd.ts'
import type { Installation } from '../platform.ts'

/** More starts than this within the window are not a start but a loop. */
const MAX_STARTS = 4
const WINDOW_MS = 60_000
/** agentd that is in the middle of stopping, or of being started by somebody else: trying again helps. */
const PASSING: readonly unknown[] = ['agentd_running', 'database_locked', undefined]

/** Starts agentd of this machine when it does not run. */
export interface LocalAgentd {
  /** Resolves when it serves. Throws agentd_not_running: at once while it ended for a reason that stays. */
  ensure(signal: AbortSignal): Promise<void>
  /** Somebody says that things have changed: the next `ensure` may start it again whatever happened before. */
  forgive(): void
}

/** Makes the starter for one home; `onStarting` hears that a start has begun. */
export function createLocalAgentd({
  home,
  environment,
  installation,
  onStarting,
  now = () => performance.now(),
}: {
  home: Home
  environment: NodeJS.ProcessEnv
  installation: Pick<Installation, 'node' | 'dist'>
  onStarting: () => void
  /** Of a clock that nobody sets. */
  now?: () => number
}): LocalAgentd {
  let starts: number[] = []
  let lasting: AppError | undefined
  const isUp = () => isListening(home.socket)

  return {
    async ensure(signal) {
      if (await isUp()) {
        lasting = undefined
        return
      }
      if (lasting !== undefined) throw lasting
      starts = starts.filter((at) => at > now() - WINDOW_MS)
      if (starts.length >= MAX_STARTS) throw keepsEnding(home.logs)
      starts.push(now())
      onStarting()
      try {
        const script = path.join(installation.dist, 'agentd.js')
        await startAgentd({
          home: home.root,
          script,
          node: installation.node,
          env: environment,
          isUp,
          signal,
        })
      } catch (error) {
        if (error instanceof AppError && isLasting(error)) lasting = error
        throw error
      }
    },
    forgive() {
      starts = []
      lasting = undefined
    },
  }
}

function isLasting(error: AppError): boolean {
  return error.code === 'agentd_not_running' && !PASSING.includes(error.details?.['reason'])
}

function keepsEnding(logs: string): AppError {
  return new AppError({
    code: 'agentd_not_running',
    message: 'agentd on this machine keeps ending soon after its start.',
    hint: `Look into ${path.join(logs, 'agentd.log')}. It is tried again in a minute.`,
  })
}

/** Whether somebody listens on a socket. */
function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath)
    const answer = (value: boolean) => {
      socket.destroy()
      resolve(value)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
