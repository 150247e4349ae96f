import { AppError, fromWireError } from '../../../shared/errors.ts'
import type { HostState } from '../../../shared/ipc/views.ts'

/** Resolves when a host is live. Rejects with its own error when it is refused or of another version, and with `timeout`. */
export function waitUntilLive({
  state,
  onChange,
  timeoutMs,
}: {
  state: () => HostState
  onChange: (listener: () => void) => () => void
  timeoutMs: number
}): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop: () => void = () => undefined
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      stop()
      if (error === undefined) resolve()
      else reject(error as Error)
    }
    const look = () => {
      try {
        const now = state()
        if (now.kind === 'live') settle()
        else if (now.kind === 'refused' || now.kind === 'version') settle(fromWireError(now.error))
      } catch (error) {
        // The host was removed meanwhile.
        settle(error)
      }
    }
    const timer = setTimeout(() => settle(notInTime(state(), timeoutMs)), timeoutMs)
    stop = onChange(look)
    look()
  })
}

function notInTime(state: HostState, timeoutMs: number): AppError {
  const why = state.kind === 'offline' ? `: ${state.error.message}` : '.'
  const hint = state.kind === 'offline' ? state.error.hint : undefined
  return new AppError({
    code: 'timeout',
    message: `The host was not there within ${Math.round(timeoutMs / 1_000)} seconds${why}`,
    hint: hint ?? 'Look at its state under Hosts, then try again.',
  })
}
