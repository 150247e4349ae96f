import { useEffect, useRef, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { InstallStep } from '../../shared/ipc/host-calls.ts'
import { call, cancelJob, newJobId, subscribe } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'

/** Installing Handoff on a host, or removing it, as it goes on. */
export interface Install {
  steps: InstallStep[]
  isRunning: boolean
  error: AppError | undefined
  install(host: string, from?: InstallStep['id']): Promise<boolean>
  uninstall(host: string, withOpenTasks: boolean): Promise<boolean>
  stop(): void
}

/** Follows the steps of one attempt after the other. */
export function useInstall(): Install {
  const [steps, setSteps] = useState<InstallStep[]>([])
  const [job, setJob] = useState<string>()
  const [error, setError] = useState<AppError>()
  const current = useRef<string>(undefined)
  useEffect(
    () =>
      subscribe('job.progress', ({ jobId, install }) => {
        if (jobId !== current.current || install === undefined) return
        setSteps((before) => withStep(before, install))
      }),
    [],
  )
  const run = async (
    work: (jobId: string) => Promise<{ ok: boolean; steps: InstallStep[] }>,
  ): Promise<boolean> => {
    const jobId = newJobId()
    current.current = jobId
    setJob(jobId)
    setError(undefined)
    try {
      const outcome = await work(jobId)
      setSteps(outcome.steps)
      return outcome.ok
    } catch (reason) {
      const failure = asAppError(reason)
      if (failure.code !== 'cancelled') setError(failure)
      return false
    } finally {
      setJob(undefined)
    }
  }
  return {
    steps,
    isRunning: job !== undefined,
    error,
    install: (host, from) =>
      run((jobId) => call('host.install', { jobId, host, ...(from === undefined ? {} : { from }) })),
    uninstall: (host, withOpenTasks) =>
      run((jobId) => call('host.uninstall', { jobId, host, withOpenTasks })),
    stop() {
      if (current.current !== undefined) cancelJob(current.current)
    },
  }
}

function withStep(steps: readonly InstallStep[], step: InstallStep): InstallStep[] {
  return steps.some((one) => one.id === step.id)
    ? steps.map((one) => (one.id === step.id ? step : one))
    : [...steps, step]
}
