import { useSyncExternalStore } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { InstallStep } from '../../shared/ipc/host-calls.ts'
import { createListeners } from '../../shared/listeners.ts'
import { call, cancelJob, newJobId, subscribe } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'

/** Installing Handoff on a host, or removing it, as it goes on. */
export interface Install {
  steps: readonly InstallStep[]
  isRunning: boolean
  error: AppError | undefined
  install(host: string, from?: InstallStep['id']): void
  uninstall(host: string, withOpenTasks: boolean): void
  stop(): void
}

interface Attempt {
  steps: readonly InstallStep[]
  jobId: string | undefined
  error: AppError | undefined
}

const NONE: Attempt = { steps: [], jobId: undefined, error: undefined }
/** By host. Kept here, since an attempt goes on while other screens are open and should be found again. */
const attempts = new Map<string, Attempt>()
const watchers = createListeners()
let isListening = false

/**
 * The last attempt on a host, whoever began it: its page, or the dialog that added it. `onInstalled` hears when all of its steps
 * are done.
 */
export function useInstall(host: string | undefined, onInstalled?: (host: string) => void): Install {
  const { steps, jobId, error } = useSyncExternalStore(watchers.add, () => attemptOn(host))
  return {
    steps,
    isRunning: jobId !== undefined,
    error,
    install(on, from) {
      const begin = from === undefined ? {} : { from }
      void run(on, (id) => call('host.install', { jobId: id, host: on, ...begin })).then(
        (isDone) => isDone && onInstalled?.(on),
      )
    },
    uninstall(on, withOpenTasks) {
      void run(on, (id) => call('host.uninstall', { jobId: id, host: on, withOpenTasks }))
    },
    stop() {
      if (jobId !== undefined) cancelJob(jobId)
    },
  }
}

function attemptOn(host: string | undefined): Attempt {
  return (host === undefined ? undefined : attempts.get(host)) ?? NONE
}

function change(host: string, part: Partial<Attempt>): void {
  attempts.set(host, { ...attemptOn(host), ...part })
  watchers.tell()
}

async function run(
  host: string,
  work: (jobId: string) => Promise<{ ok: boolean; steps: InstallStep[] }>,
): Promise<boolean> {
  listen()
  const jobId = newJobId()
  change(host, { jobId, error: undefined })
  try {
    const outcome = await work(jobId)
    change(host, { steps: outcome.steps })
    return outcome.ok
  } catch (reason) {
    const error = asAppError(reason)
    if (error.code !== 'cancelled') change(host, { error })
    return false
  } finally {
    change(host, { jobId: undefined })
  }
}

function listen(): void {
  if (isListening) return
  isListening = true
  subscribe('job.progress', ({ jobId, install: step }) => {
    if (step === undefined) return
    for (const [host, attempt] of attempts)
      if (attempt.jobId === jobId) change(host, { steps: withStep(attempt.steps, step) })
  })
}

function withStep(steps: readonly InstallStep[], step: InstallStep): readonly InstallStep[] {
  return steps.some((one) => one.id === step.id)
    ? steps.map((one) => (one.id === step.id ? step : one))
    : [...steps, step]
}
